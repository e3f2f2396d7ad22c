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
import io.tokenbudget.testkit.matrix.OtherModelsMatrix;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The account of LangChain4j's models that are no chat models. */
abstract class LangChain4jOtherModels extends OtherModelsMatrix<EmbeddingModel> {
    private static final int SECONDS = 60;

    @Override
    protected EmbeddingModel embedding(At at) {
        return metered(
                EmbeddingModel.class,
                OpenAiEmbeddingModel.builder()
                        .baseUrl(url(at))
                        .apiKey(at.apiKey())
                        .modelName(at.modelName())
                        .maxRetries(0)
                        .build());
    }

    @Override
    protected void embed(EmbeddingModel model, String text) {
        model.embed(text);
    }

    private static String url(At at) {
        return at.baseUrl() + "/v1";
    }

    private LanguageModel language(At at) {
        return metered(
                LanguageModel.class,
                OpenAiLanguageModel.builder()
                        .baseUrl(url(at))
                        .apiKey(at.apiKey())
                        .modelName(at.modelName())
                        .maxRetries(0)
                        .build());
    }

    private StreamingLanguageModel streaming(At at) {
        return metered(
                StreamingLanguageModel.class,
                OpenAiStreamingLanguageModel.builder()
                        .baseUrl(url(at))
                        .apiKey(at.apiKey())
                        .modelName(at.modelName())
                        .build());
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

        asking.ask(embedding(at(cell, "ok")));

        assertBilled(cell);
        assertCalls(1, 0);
    }

    @Test
    @DisplayName("C1: a dimension that has to be asked for is one call, and asked for once")
    void aDimensionThatHasToBeAskedForIsOneCall() {
        String cell = "embedding-dimension";
        EmbeddingModel model = embedding(at(cell, "ok"));

        assertThat(model.dimension()).isPositive().isEqualTo(model.dimension());

        assertThat(stub().ledger().calls(cell)).hasSize(1);
        assertThat(used(cell, "input tokens")).isPositive();
        assertCalls(1, seesEveryCall() ? 0 : 1);
    }

    @Test
    @DisplayName("C1: a dimension that is known costs nothing")
    void aDimensionThatIsKnownCostsNothing() {
        At at = at("known", "ok");
        EmbeddingModel model = embedding(new At(at.baseUrl(), at.apiKey(), "text-embedding-3-small"));

        assertThat(model.dimension()).isEqualTo(1536);

        assertCalls(0, 0);
    }

    @Test
    @DisplayName("C4: what the framework does not tell is the estimate of the text, and usage missing")
    void whatIsNotToldIsEstimated() {
        At image = at("image", "ok");
        metered(
                        ImageModel.class,
                        OpenAiImageModel.builder()
                                .baseUrl(url(image))
                                .apiKey(image.apiKey())
                                .modelName(image.modelName())
                                .build())
                .generate(TEXT);
        assertEstimateOfText("image");
        assertCalls(1, 1);

        At moderation = at("moderation", "ok");
        metered(
                        ModerationModel.class,
                        OpenAiModerationModel.builder()
                                .baseUrl(url(moderation))
                                .apiKey(moderation.apiKey())
                                .modelName(moderation.modelName())
                                .build())
                .moderate(TextSegment.from(TEXT));
        assertEstimateOfText("moderation");
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
        begin();
        ScoringModel model = metered(ScoringModel.class, new Scores());

        model.score(TEXT, "What is old?");
        model.scoreAll(List.of(TextSegment.from(TEXT)), "What is old?");

        assertThat(used("scoring", "input tokens")).isEqualTo(2 * 37);
        assertCalls(2, 0);
    }

    @Test
    @DisplayName("C4: a completion is booked as it is billed, however it is asked for")
    void aCompletionIsBookedAsItIsBilled() {
        LanguageModel model = language(at("completion", "ok"));

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

        assertThat(answer(streaming(at("completion-streamed", "ok")), TEXT, pieces))
                .isNotEmpty();

        assertThat(pieces.get()).isGreaterThan(1);
        assertBilled("completion-streamed");
        assertCalls(1, 0);
    }

    @Test
    @DisplayName("C6: a streamed completion that is rejected is refunded")
    void aStreamedCompletionThatIsRejectedIsRefunded() {
        StreamingLanguageModel model = streaming(at("completion-fails", "error-400"));

        assertThatThrownBy(() -> answer(model, TEXT, new AtomicInteger())).hasCauseInstanceOf(RuntimeException.class);

        assertThat(used("completion-fails", "tokens")).isZero();
        assertCalls(1, 0);
    }

    @Test
    @DisplayName("R2, C5: a budget that is used up refuses a streamed completion through its handler")
    void aBudgetThatIsUsedUpRefusesAStreamedCompletion() {
        StreamingLanguageModel model = streaming(at("used-up-completion", "ok"));

        assertThatThrownBy(() -> answer(model, TEXT.repeat(200), new AtomicInteger()))
                .satisfies(thrown -> isRefusal(thrown.getCause()));

        assertThat(stub().ledger().calls("used-up-completion")).isEmpty();
        assertCalls(0, 0);
    }

    @Test
    @DisplayName("C5: a streamed completion whose budget is used up is cut, and what flowed is booked")
    void aStreamedCompletionIsCutWhenNoMoreCanBeHeld() {
        AtomicInteger pieces = new AtomicInteger();
        StreamingLanguageModel model = streaming(at("cut-short-completion", "endless"));

        assertThatThrownBy(() -> answer(model, TEXT, pieces)).satisfies(thrown -> isRefusal(thrown.getCause()));

        assertThat(pieces.get()).isPositive();
        assertThat(used("cut-short-completion", "output tokens")).isBetween(100L, 200L);
        assertCalls(1, 0);
    }
}
