package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.testkit.matrix.Booking;
import io.tokenbudget.testkit.matrix.Deviation;
import io.tokenbudget.testkit.matrix.Provider;
import java.util.List;
import java.util.Set;

/**
 * Where Spring AI, or its client of a provider, hides an end or a usage, so that what is booked is no longer the provider's
 * number.
 *
 * @param lines where it does so
 */
record KnownDeviation(Set<Line> lines, Provider provider, boolean streamed, Deviation deviation) {
    private static final String NO_CACHE =
            "the usage of Anthropic's client has no place for what came from the cache or went there";
    private static final String THROWS = "an answer without usage makes Anthropic's SDK throw, and its text is lost";

    private static final List<KnownDeviation> ALL = List.of(
            new KnownDeviation(
                    Set.of(Line.V1_0),
                    Provider.ANTHROPIC,
                    false,
                    new Deviation("ok-cached", Booking.WITHOUT_CACHED_INPUT, NO_CACHE)),
            new KnownDeviation(
                    Set.of(Line.V1_0),
                    Provider.ANTHROPIC,
                    true,
                    new Deviation("ok-cached", Booking.WITHOUT_CACHED_INPUT, NO_CACHE)),
            new KnownDeviation(
                    Set.of(Line.V2_0),
                    Provider.ANTHROPIC,
                    false,
                    new Deviation("no-usage", Booking.INPUT_ESTIMATED, THROWS)),
            new KnownDeviation(
                    Set.of(Line.V2_0),
                    Provider.ANTHROPIC,
                    true,
                    new Deviation("no-usage", Booking.INPUT_ESTIMATED, THROWS)));

    static List<KnownDeviation> all() {
        return ALL;
    }

    /** Those of one provider on the line of the class path. */
    static List<Deviation> present(Provider provider, boolean streamed) {
        Line line = Line.present();
        return ALL.stream()
                .filter(known -> known.lines.contains(line) && known.provider == provider && known.streamed == streamed)
                .map(KnownDeviation::deviation)
                .toList();
    }
}
