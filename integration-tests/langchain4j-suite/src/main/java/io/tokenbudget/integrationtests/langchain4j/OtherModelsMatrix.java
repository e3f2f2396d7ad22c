package io.tokenbudget.integrationtests.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.StreamingResponseHandler;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.image.ImageModel;
import dev.langchain4j.model.input.Prompt;
import dev.langchain4j.model.language.LanguageModel;
import dev.langchain4j.model.language.StreamingLanguageModel;
import dev.langchain4j.model.moderation.ModerationModel;
import dev.langchain4j.model.openai.OpenAiEmbeddingModel;
import dev.langchain4j.model.openai.OpenAiImageModel;
import dev.langchain4j.model.openai.OpenAiLanguageModel;
import dev.langchain4j.model.openai.OpenAiModerationModel;
import dev.langchain4j.model.openai.OpenAiStreamingLanguageModel;
import dev.langchain4j.model.output.Response;
import dev.langchain4j.model.output.TokenUsage;
import dev.langchain4j.model.scoring.ScoringModel;
import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.testkit.matrix.Way;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The account of calls that are no chat, over real HTTP: nothing passes unmetered, whatever the framework tells of it. */
@Tag("accounting-matrix")
@Tag("other-models")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OtherModelsMatrix {
    private static final String TEXT = "an old town by the sea on a quiet Sunday";
    private static final int TOKENS_OF_TEXT = 9;
    private static final String BUDGET = "model:";
    private static final int SECONDS = 60;

    @SuppressWarnings("NullAway.Init") // before all tests
    private ProviderStub stub;

    private BudgetsSnapshot before = new BudgetsSnapshot(
            List.of(), new BudgetsSnapshot.Reservations(0, 0, 0, 0, 0), new BudgetsSnapshot.Calls(0, 0, 0));

    abstract Way way();

    /** {@code model} metered as {@code type}, where it does not happen by itself. */
    <M> M metered(Class<M> type, M model) {
        return model;
    }

    /** Whether what a model asks of itself is seen too. */
    abstract boolean seesEveryCall();

    @BeforeAll
    void startProvider() {
        stub = ProviderStub.start(0);
    }

    @AfterAll
    void stopProvider() {
        stub.close();
    }

    private String url() {
        before = way().budgets();
        return stub.baseUrl() + "/v1";
    }

    private EmbeddingModel embedding(String cell, String scenario) {
        return metered(
                EmbeddingModel.class,
                OpenAiEmbeddingModel.builder()
                        .baseUrl(url())
                        .apiKey(cell)
                        .modelName(cell + '/' + scenario)
                        .maxRetries(0)
                        .build());
    }

    private LanguageModel language(String cell, String scenario) {
        return metered(
                LanguageModel.class,
                OpenAiLanguageModel.builder()
                        .baseUrl(url())
                        .apiKey(cell)
                        .modelName(cell + '/' + scenario)
                        .maxRetries(0)
                        .build());
    }

    private StreamingLanguageModel streaming(String cell, String scenario) {
        return metered(
                StreamingLanguageModel.class,
                OpenAiStreamingLanguageModel.builder()
                        .baseUrl(url())
                        .apiKey(cell)
                        .modelName(cell + '/' + scenario)
                        .build());
    }

    private long used(String cell, String unit) {
        return way().budgets().used(BUDGET + cell + '/', unit);
    }

    private void assertBilled(String cell) {
        assertThat(stub.ledger().billed(cell).totalTokens()).isPositive();
        assertThat(used(cell, "input tokens"))
                .isEqualTo(stub.ledger().billed(cell).inputTokens());
        assertThat(used(cell, "tokens")).isEqualTo(stub.ledger().billed(cell).totalTokens());
    }

    private void assertCalls(long metered, long usageMissing) {
        BudgetsSnapshot now = way().budgets();
        assertThat(now.calls().metered() - before.calls().metered())
                .as("metered")
                .isEqualTo(metered);
        assertThat(now.calls().unmetered() - before.calls().unmetered())
                .as("unmetered")
                .isZero();
        assertThat(now.calls().usageMissing() - before.calls().usageMissing())
                .as("usage missing")
                .isEqualTo(usageMissing);
        assertThat(now.reservations().held()).as("held").isZero();
        assertThat(way().notices()).isEmpty();
    }

    private static void assertRefused(@Nullable Throwable thrown) {
        assertThat(String.valueOf(thrown)).startsWith("io.tokenbudget.LimitExceededException");
    }

    /** The ways to ask for vectors. */
    enum Asking {
        TEXT_ALONE {
            @Override
            void ask(EmbeddingModel model) {
                model.embed(TEXT);
            }
        },
        SEGMENT {
            @Override
            void ask(EmbeddingModel model) {
                model.embed(TextSegment.from(TEXT));
            }
        },
        SEGMENTS {
            @Override
            void ask(EmbeddingModel model) {
                model.embedAll(List.of(TextSegment.from(TEXT), TextSegment.from(TEXT)));
            }
        };

        abstract void ask(EmbeddingModel model);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("C1, C4: every way to ask for vectors is one call")
    void everyWayToAskForVectorsIsOneCall(Asking asking) {
        String cell = "embedding-" + asking;

        asking.ask(embedding(cell, "ok"));

        assertBilled(cell);
        assertCalls(1, 0);
    }

    @Test
    @DisplayName("C1: a dimension that has to be asked for is one call, and asked for once")
    void aDimensionThatHasToBeAskedForIsOneCall() {
        String cell = "embedding-dimension";
        EmbeddingModel model = embedding(cell, "ok");

        assertThat(model.dimension()).isPositive().isEqualTo(model.dimension());

        assertThat(stub.ledger().calls(cell)).hasSize(1);
        assertThat(used(cell, "input tokens")).isPositive();
        assertCalls(1, seesEveryCall() ? 0 : 1);
    }

    @Test
    @DisplayName("C1: a dimension that is known costs nothing")
    void aDimensionThatIsKnownCostsNothing() {
        EmbeddingModel model = metered(
                EmbeddingModel.class,
                OpenAiEmbeddingModel.builder()
                        .baseUrl(url())
                        .apiKey("known")
                        .modelName("text-embedding-3-small")
                        .build());

        assertThat(model.dimension()).isEqualTo(1536);

        assertCalls(0, 0);
    }

    @Test
    @DisplayName("C6: an embedding that fails is refunded")
    void anEmbeddingThatFailsIsRefunded() {
        EmbeddingModel model = embedding("embedding-fails", "error-400");

        assertThatThrownBy(() -> model.embed(TEXT)).isInstanceOf(RuntimeException.class);

        assertThat(used("embedding-fails", "tokens")).isZero();
        assertCalls(1, 0);
    }

    @Test
    @DisplayName("R2: a budget that is used up refuses vectors, and nothing reaches the provider")
    void aBudgetThatIsUsedUpRefuses() {
        EmbeddingModel model = embedding("used-up-embedding", "ok");

        assertThatThrownBy(() -> model.embed(TEXT.repeat(200))).satisfies(OtherModelsMatrix::assertRefused);

        assertThat(stub.ledger().calls("used-up-embedding")).isEmpty();
        assertCalls(0, 0);
    }

    @Test
    @DisplayName("C4: what the framework does not tell is the estimate of the text, and usage missing")
    void whatIsNotToldIsEstimated() {
        ImageModel image = metered(
                ImageModel.class,
                OpenAiImageModel.builder()
                        .baseUrl(url())
                        .apiKey("image")
                        .modelName("image/ok")
                        .build());
        image.generate(TEXT);
        assertThat(used("image", "tokens")).isBetween(TOKENS_OF_TEXT - 3L, TOKENS_OF_TEXT + 5L);
        assertCalls(1, 1);

        ModerationModel moderation = metered(
                ModerationModel.class,
                OpenAiModerationModel.builder()
                        .baseUrl(url())
                        .apiKey("moderation")
                        .modelName("moderation/ok")
                        .build());
        moderation.moderate(TextSegment.from(TEXT));
        assertThat(used("moderation", "tokens")).isBetween(TOKENS_OF_TEXT - 3L, TOKENS_OF_TEXT + 5L);
        assertCalls(1, 1);
    }

    /** No provider of the stub scores. */
    static final class Scores implements ScoringModel {
        @Override
        public Response<List<Double>> scoreAll(List<TextSegment> segments, String query) {
            return Response.from(List.of(0.5), new TokenUsage(37));
        }

        public String modelName() {
            return "scoring/ok";
        }
    }

    @Test
    @DisplayName("C1, C4: every way to ask for scores is one call")
    void everyWayToAskForScoresIsOneCall() {
        before = way().budgets();
        ScoringModel model = metered(ScoringModel.class, new Scores());

        model.score(TEXT, "What is old?");
        model.scoreAll(List.of(TextSegment.from(TEXT)), "What is old?");

        assertThat(used("scoring", "input tokens")).isEqualTo(2 * 37);
        assertCalls(2, 0);
    }

    @Test
    @DisplayName("C4: a completion is booked as it is billed, however it is asked for")
    void aCompletionIsBookedAsItIsBilled() {
        LanguageModel model = language("completion", "ok");

        model.generate(TEXT);
        model.generate(Prompt.from(TEXT));

        assertBilled("completion");
        assertCalls(2, 0);
    }

    private static String answer(StreamingLanguageModel model, String text, AtomicInteger pieces) throws Exception {
        CompletableFuture<String> complete = new CompletableFuture<>();
        model.generate(text, new StreamingResponseHandler<String>() {
            @Override
            public void onNext(String piece) {
                pieces.incrementAndGet();
            }

            @Override
            public void onComplete(Response<String> response) {
                complete.complete(response.content());
            }

            @Override
            public void onError(Throwable error) {
                complete.completeExceptionally(error);
            }
        });
        return complete.get(SECONDS, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("C5: a streamed completion is booked as it is billed, and the application sees every piece")
    void aStreamedCompletionIsBookedAsItIsBilled() throws Exception {
        AtomicInteger pieces = new AtomicInteger();

        assertThat(answer(streaming("completion-streamed", "ok"), TEXT, pieces)).isNotEmpty();

        assertThat(pieces.get()).isGreaterThan(1);
        assertBilled("completion-streamed");
        assertCalls(1, 0);
    }

    @Test
    @DisplayName("C6: a streamed completion that is rejected is refunded")
    void aStreamedCompletionThatIsRejectedIsRefunded() {
        StreamingLanguageModel model = streaming("completion-fails", "error-400");

        assertThatThrownBy(() -> answer(model, TEXT, new AtomicInteger())).hasCauseInstanceOf(RuntimeException.class);

        assertThat(used("completion-fails", "tokens")).isZero();
        assertCalls(1, 0);
    }

    @Test
    @DisplayName("R2, C5: a budget that is used up refuses a streamed completion through its handler")
    void aBudgetThatIsUsedUpRefusesAStreamedCompletion() {
        StreamingLanguageModel model = streaming("used-up-completion", "ok");

        assertThatThrownBy(() -> answer(model, TEXT.repeat(200), new AtomicInteger()))
                .satisfies(thrown -> assertRefused(thrown.getCause()));

        assertThat(stub.ledger().calls("used-up-completion")).isEmpty();
        assertCalls(0, 0);
    }

    @Test
    @DisplayName("C5: a streamed completion whose budget is used up is cut, and what flowed is booked")
    void aStreamedCompletionIsCutWhenNoMoreCanBeHeld() {
        AtomicInteger pieces = new AtomicInteger();
        StreamingLanguageModel model = streaming("used-up-completion-cut", "endless");

        assertThatThrownBy(() -> answer(model, TEXT, pieces)).satisfies(thrown -> assertRefused(thrown.getCause()));

        assertThat(pieces.get()).isPositive();
        assertThat(used("used-up-completion-cut", "output tokens")).isBetween(500L, 1000L);
        assertCalls(1, 0);
    }
}
