package io.tokenbudget.integrationtests.springai;

import static io.tokenbudget.testkit.matrix.KnownDeviation.blocking;
import static io.tokenbudget.testkit.matrix.KnownDeviation.streamed;
import static io.tokenbudget.testkit.matrix.Provider.ANTHROPIC;

import io.tokenbudget.testkit.matrix.Booking;
import io.tokenbudget.testkit.matrix.KnownDeviation;
import java.util.List;
import java.util.Set;

/** Where Spring AI, or its client of a provider, hides an end or a usage. */
final class Deviations {
    private static final String NO_CACHE =
            "the usage of Anthropic's client has no place for what came from the cache or went there";
    private static final String THROWS = "an answer without usage makes Anthropic's SDK throw, and its text is lost";

    static final List<KnownDeviation> ALL = List.of(
            blocking(Set.of(Line.V1_0), ANTHROPIC, "ok-cached", Booking.WITHOUT_CACHED_INPUT, NO_CACHE),
            streamed(Set.of(Line.V1_0), ANTHROPIC, "ok-cached", Booking.WITHOUT_CACHED_INPUT, NO_CACHE),
            blocking(Set.of(Line.V2_0), ANTHROPIC, "no-usage", Booking.INPUT_ESTIMATED, THROWS),
            streamed(Set.of(Line.V2_0), ANTHROPIC, "no-usage", Booking.INPUT_ESTIMATED, THROWS));

    private Deviations() {}
}
