package io.tokenbudget.integrationtests.langchain4j;

import static io.tokenbudget.testkit.matrix.Provider.ANTHROPIC;
import static io.tokenbudget.testkit.matrix.Provider.GEMINI;
import static io.tokenbudget.testkit.matrix.Provider.OLLAMA;
import static io.tokenbudget.testkit.matrix.Provider.OPENAI;

import io.tokenbudget.testkit.matrix.Booking;
import io.tokenbudget.testkit.matrix.Deviation;
import io.tokenbudget.testkit.matrix.Provider;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where LangChain4j's client of a provider hides an end or a usage, so that what is booked is no longer the provider's
 * number.
 *
 * @param lines where it does so
 */
record KnownDeviation(Set<Line> lines, Provider provider, boolean streamed, Deviation deviation) {
    private static final String NO_CONTENT = "without content the handler gets no response, and so no usage";
    private static final String NO_MESSAGE_STOP =
            "a stream that closes without `message_stop` is never ended: the client says nothing";
    private static final String NOT_DONE = "a stream that closes without `\"done\": true` is never ended";
    private static final String IGNORED_ERROR = "a line with an error is ignored, and the stream never ended";

    private static final List<KnownDeviation> ALL = List.of(
            streamed(Set.of(Line.V1_0), OPENAI, "zero-choices", Booking.INPUT_ESTIMATED, NO_CONTENT),
            streamed(Set.of(Line.V1_0), OLLAMA, "zero-choices", Booking.INPUT_ESTIMATED, NO_CONTENT),
            streamed(everywhere(ANTHROPIC), ANTHROPIC, "ends-after-0", Booking.FLOWED_AT_EXPIRY, NO_MESSAGE_STOP),
            streamed(everywhere(ANTHROPIC), ANTHROPIC, "ends-after-9", Booking.FLOWED_AT_EXPIRY, NO_MESSAGE_STOP),
            streamed(everywhere(OLLAMA), OLLAMA, "ends-after-0", Booking.FLOWED_AT_EXPIRY, NOT_DONE),
            streamed(everywhere(OLLAMA), OLLAMA, "ends-after-9", Booking.FLOWED_AT_EXPIRY, NOT_DONE),
            streamed(everywhere(OLLAMA), OLLAMA, "error-event-after-0", Booking.FLOWED_AT_EXPIRY, IGNORED_ERROR),
            streamed(everywhere(OLLAMA), OLLAMA, "error-event-after-9", Booking.FLOWED_AT_EXPIRY, IGNORED_ERROR),
            streamed(
                    everywhere(GEMINI),
                    GEMINI,
                    "zero-choices",
                    Booking.INPUT_ESTIMATED,
                    "the usage of an answer without candidates is dropped"),
            new KnownDeviation(
                    everywhere(GEMINI),
                    GEMINI,
                    false,
                    new Deviation(
                            "no-usage",
                            Booking.INPUT_ESTIMATED,
                            "an answer without usage makes the client throw, and its text is lost")));

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

    private static KnownDeviation streamed(
            Set<Line> lines, Provider provider, String row, Booking booking, String reason) {
        return new KnownDeviation(lines, provider, true, new Deviation(row, booking, reason));
    }

    private static Set<Line> everywhere(Provider provider) {
        return Set.copyOf(Stream.of(Line.values())
                .filter(line -> line.providers().contains(provider))
                .toList());
    }
}
