package io.tokenbudget.integrationtests.langchain4j;

import static io.tokenbudget.testkit.matrix.KnownDeviation.blocking;
import static io.tokenbudget.testkit.matrix.KnownDeviation.streamed;
import static io.tokenbudget.testkit.matrix.Provider.ANTHROPIC;
import static io.tokenbudget.testkit.matrix.Provider.GEMINI;
import static io.tokenbudget.testkit.matrix.Provider.OLLAMA;
import static io.tokenbudget.testkit.matrix.Provider.OPENAI;

import io.tokenbudget.testkit.matrix.Booking;
import io.tokenbudget.testkit.matrix.FrameworkLine;
import io.tokenbudget.testkit.matrix.KnownDeviation;
import io.tokenbudget.testkit.matrix.Provider;
import java.util.List;
import java.util.Set;

/** Where LangChain4j's clients hide an end or a usage. */
final class Deviations {
    private static final String NO_CONTENT = "without content the handler gets no response, and so no usage";
    private static final String NO_MESSAGE_STOP =
            "a stream that closes without `message_stop` is never ended: the client says nothing";
    private static final String IGNORED_GARBAGE =
            "events that are no JSON are ignored, and the usage comes all the same";
    private static final String NOT_DONE = "a stream that closes without `\"done\": true` is never ended";
    private static final String IGNORED_ERROR = "a line with an error is ignored, and the stream never ended";

    static final List<KnownDeviation> ALL = List.of(
            streamed(Set.of(Line.V1_0), OPENAI, "zero-choices", Booking.INPUT_ESTIMATED, NO_CONTENT),
            streamed(Set.of(Line.V1_0), OLLAMA, "zero-choices", Booking.INPUT_ESTIMATED, NO_CONTENT),
            streamed(Set.of(Line.V1_0), OPENAI, "refusal", Booking.INPUT_ESTIMATED, NO_CONTENT),
            streamed(everywhere(ANTHROPIC), ANTHROPIC, "garbage", Booking.TO_THE_TOKEN, IGNORED_GARBAGE),
            streamed(Set.of(Line.V1_0), OLLAMA, "garbage", Booking.INPUT_ESTIMATED, NO_CONTENT),
            streamed(Set.of(Line.V1_11), OLLAMA, "garbage", Booking.TO_THE_TOKEN, IGNORED_GARBAGE),
            streamed(everywhere(GEMINI), GEMINI, "garbage", Booking.TO_THE_TOKEN, IGNORED_GARBAGE),
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
            blocking(
                    everywhere(GEMINI),
                    GEMINI,
                    "no-usage",
                    Booking.INPUT_ESTIMATED,
                    "an answer without usage makes the client throw, and its text is lost"));

    private Deviations() {}

    private static Set<FrameworkLine> everywhere(Provider provider) {
        return KnownDeviation.everywhere(provider, Line.values());
    }
}
