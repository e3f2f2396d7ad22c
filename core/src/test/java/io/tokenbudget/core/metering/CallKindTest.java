package io.tokenbudget.core.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.Usage;
import io.tokenbudget.core.BudgetReport;
import io.tokenbudget.core.TokenLimiters;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("C1 one layer charges: only a call of the same kind is the same call one layer deeper")
class CallKindTest {
    private final List<String> notices = new ArrayList<>();
    private final Metering metering = new Metering(
            TokenLimiters.builder()
                    .yaml("budgets: [{scope: global, limits: [\"1M tokens per 1h\"]}]")
                    .build(),
            notices::add);
    private final CallMeter meter = metering.meter(CallerSource.of(null), RefusalFactory.OWN);

    static Stream<Arguments> pairs() {
        List<Arguments> pairs = new ArrayList<>();
        for (CallKind outer : CallKind.values()) {
            for (CallKind inner : CallKind.values()) {
                for (boolean streamed : new boolean[] {false, true}) {
                    pairs.add(Arguments.of(outer, inner, streamed));
                }
            }
        }
        return pairs.stream();
    }

    private Frame open(CallKind kind, boolean streamed, long input) {
        ModelCall call = kind.answersInTokens() ? ModelCall.of("m", input, 10) : ModelCall.withoutOutput("m", input);
        return streamed
                ? meter.openStream(new Object(), kind, () -> call, null, null)
                : meter.open(new Object(), kind, () -> call);
    }

    @ParameterizedTest(name = "{1} inside of {0}, streamed: {2}")
    @MethodSource("pairs")
    void chargesWhatIsAskedForInsideOfAnotherKindBesideIt(CallKind outer, CallKind inner, boolean streamed) {
        Frame around = open(outer, streamed, 100);
        Frame within = open(inner, streamed, 50);
        assertThat(around.isDelegated()).isEqualTo(outer == inner);
        within.succeed(Usage.of(40, 2), 0, new Object());
        around.succeed(Usage.of(90, 5), 0, new Object());

        BudgetReport report = metering.report();
        BudgetStatus tokens = report.budgets().get(0);
        assertThat(tokens.used()).isEqualTo(outer == inner ? 42 : 42 + 95);
        assertThat(tokens.held()).isZero();
        assertThat(report.calls().metered()).isEqualTo(outer == inner ? 1 : 2);
        assertThat(notices).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "dev.langchain4j.model.chat.ChatModel, CHAT",
        "dev.langchain4j.model.language.LanguageModel, COMPLETION",
        "dev.langchain4j.model.language.StreamingLanguageModel, COMPLETION",
        "completion calls of LangChain4j, COMPLETION",
        "dev.langchain4j.model.embedding.EmbeddingModel, EMBEDDING",
        "org.springframework.ai.embedding.DocumentEmbeddingModel, EMBEDDING",
        "dev.langchain4j.model.image.ImageModel, IMAGE",
        "dev.langchain4j.model.moderation.ModerationModel, MODERATION",
        "dev.langchain4j.model.audio.AudioTranscriptionModel, TRANSCRIPTION",
        "audio transcription calls of Spring AI, TRANSCRIPTION",
        "dev.langchain4j.model.audio.TextToSpeechModel, SPEECH",
        "org.springframework.ai.openai.audio.speech.SpeechModel, SPEECH",
        "org.springframework.ai.audio.tts.TextToSpeechModel, SPEECH",
        "dev.langchain4j.model.scoring.ScoringModel, SCORING",
        "org.springframework.ai.model.Model, OTHER",
        "dev.langchain4j.model.video.FilmModel, OTHER"
    })
    void isReadFromTheNamesOfFrameworks(String name, CallKind kind) {
        assertThat(CallKind.in(name)).isEqualTo(kind);
    }
}
