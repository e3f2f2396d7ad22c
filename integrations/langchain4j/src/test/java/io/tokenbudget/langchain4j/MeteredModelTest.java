package io.tokenbudget.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.image.Image;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.http.client.Caller;
import dev.langchain4j.model.StreamingResponseHandler;
import dev.langchain4j.model.embedding.DimensionAwareEmbeddingModel;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.image.ImageModel;
import dev.langchain4j.model.language.LanguageModel;
import dev.langchain4j.model.language.StreamingLanguageModel;
import dev.langchain4j.model.moderation.Moderation;
import dev.langchain4j.model.moderation.ModerationModel;
import dev.langchain4j.model.output.Response;
import dev.langchain4j.model.output.TokenUsage;
import io.tokenbudget.LimitExceededException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Other models of LangChain4j in process")
class MeteredModelTest {
    private static final String WORDS = "some words of an answer ";

    private final Budget budget = new Budget(1000);

    /** Answers nothing with the list that all empty answers share. */
    private record Embeds(int tokens) implements EmbeddingModel {
        @Override
        public Response<List<Embedding>> embedAll(List<TextSegment> segments) {
            return segments.isEmpty()
                    ? Response.from(List.of())
                    : Response.from(List.of(Embedding.from(new float[] {1})), new TokenUsage(tokens, 0));
        }
    }

    @Test
    void C1_answersThatShareAnEmptyListAreNotHandedOn() {
        for (int model = 0; model < 3; model++) {
            MeteredModel.wrap(EmbeddingModel.class, new Embeds(900), budget.meter())
                    .embedAll(List.of());
        }
        EmbeddingModel embeds = MeteredModel.wrap(EmbeddingModel.class, new Embeds(999), budget.meter());
        embeds.embed("a");

        assertThatThrownBy(() -> embeds.embed("b".repeat(5000))).isInstanceOf(LimitExceededException.class);
        assertThat(budget.held()).isZero();
        assertThat(budget.notices).isEmpty();
    }

    /** An answer of the application's own class, in which {@code unreadable} throws. */
    private static final class Unreadable<T> extends Response<T> {
        private final String unreadable;

        Unreadable(T content, String unreadable) {
            super(content);
            this.unreadable = unreadable;
        }

        @Override
        public T content() {
            if (unreadable.equals("content")) {
                throw new IllegalStateException("the application's own");
            }
            return super.content();
        }

        @Override
        public TokenUsage tokenUsage() {
            if (unreadable.equals("usage")) {
                throw new IllegalStateException("the application's own");
            }
            return new TokenUsage(5, 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"content", "usage"})
    void C9_anAnswerThatCannotBeReadReachesTheApplicationAndIsBooked(String unreadable) {
        Budget roomy = new Budget(10_000);
        Response<String> text = new Unreadable<>("text", unreadable);
        Response<List<Embedding>> vectors = new Unreadable<>(List.of(Embedding.from(new float[] {1})), unreadable);

        assertThat(MeteredModel.wrap(LanguageModel.class, prompt -> text, roomy.meter())
                        .generate("prompt"))
                .isSameAs(text);
        assertThat(MeteredModel.wrap(EmbeddingModel.class, segments -> vectors, roomy.meter())
                        .embedAll(List.of(TextSegment.from("a"))))
                .isSameAs(vectors);

        assertThat(roomy.used()).isPositive();
        assertThat(roomy.held()).isZero();
        assertThat(roomy.report().calls().metered()).isEqualTo(2);
        assertThat(roomy.notices).singleElement().asString().contains("reading a LangChain4j answer");
    }

    @Test
    void C9_aModelThatThrowsWhenItIsLookedIntoIsAskedForItsDimension() {
        DimensionAwareEmbeddingModel model = new DimensionAwareEmbeddingModel() {
            @Override
            public Response<List<Embedding>> embedAll(List<TextSegment> segments) {
                throw new AssertionError("nobody asks");
            }

            @Override
            protected Integer knownDimension() {
                throw new IllegalStateException("the application's own");
            }

            @Override
            public int dimension() {
                return 7;
            }
        };

        assertThat(MeteredModel.wrap(EmbeddingModel.class, model, budget.meter())
                        .dimension())
                .isEqualTo(7);
        assertThat(budget.held()).isZero();
        assertThat(budget.notices).singleElement().asString().contains("knows its dimension");
    }

    @Test
    void C1_whatAModelAsksOneOfAnotherKindIsChargedBesideIt() {
        ModerationModel moderates = MeteredModel.wrap(
                ModerationModel.class,
                new ModerationModel() {
                    @Override
                    public Response<Moderation> moderate(String text) {
                        return Response.from(Moderation.notFlagged(), new TokenUsage(5, 0));
                    }

                    @Override
                    public Response<Moderation> moderate(List<ChatMessage> messages) {
                        throw new AssertionError("nobody asks");
                    }
                },
                budget.meter());
        ImageModel draws = prompt -> {
            moderates.moderate(prompt);
            return Response.from(Image.builder().url("http://image").build(), new TokenUsage(7, 100));
        };
        MeteredModel.wrap(ImageModel.class, draws, budget.meter()).generate("a cat");

        assertThat(budget.used()).isEqualTo(5 + 107);
        assertThat(budget.held()).isZero();
        assertThat(budget.report().calls().metered()).isEqualTo(2);
    }

    @Test
    void picturesCostByThePieceAsManyAsAreAskedFor() {
        Budget money =
                new Budget("budgets: [{scope: global, limits: [\"$1 per 1h\"]}]\nprices: {\"*\": {image: 0.04}}");
        ImageModel draws = MeteredModel.wrap(
                ImageModel.class,
                new ImageModel() {
                    @Override
                    public Response<Image> generate(String prompt) {
                        return Response.from(Image.builder().url("http://image").build());
                    }

                    @Override
                    public Response<List<Image>> generate(String prompt, int n) {
                        return Response.from(List.of());
                    }
                },
                money.meter());

        draws.generate("a cat");
        draws.generate("cats", 3);

        assertThat(money.used()).isEqualTo(4 * 40_000_000L);
    }

    static final class Hears implements StreamingResponseHandler<String> {
        final List<String> heard = new ArrayList<>();
        boolean throwsOnce;
        Exception thrown = new IllegalStateException("the application's own");

        @Override
        public void onNext(String token) {
            heard.add("next");
            if (throwsOnce) {
                throwsOnce = false;
                FakeStreamingModel.<RuntimeException>sneak(thrown);
            }
        }

        @Override
        public void onComplete(Response<String> response) {
            heard.add("complete");
        }

        @Override
        public void onError(Throwable error) {
            heard.add("error " + error.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void R4_whatTheHandlerOfACompletionThrowsIsNoEndAndComesToItAsItself(boolean checked) {
        Hears hears = new Hears();
        hears.throwsOnce = true;
        hears.thrown =
                checked ? new IOException("the application's own") : new IllegalStateException("the application's own");
        StreamingLanguageModel model = (prompt, handler) -> {
            for (int piece = 0; piece < 10; piece++) {
                try {
                    handler.onNext(WORDS);
                } catch (RuntimeException applications) {
                    handler.onError(applications);
                }
            }
            handler.onComplete(Response.from("all", new TokenUsage(5, 60)));
        };
        MeteredModel.wrap(StreamingLanguageModel.class, model, budget.meter()).generate("prompt", hears);

        assertThat(hears.heard)
                .hasSize(12)
                .contains("error the application's own")
                .endsWith("complete");
        assertThat(budget.used()).isEqualTo(65);
        assertThat(budget.held()).isZero();
        assertThat(budget.notices).isEmpty();
    }

    @Test
    void C9_aCompletionThatIsCutWhileItsMethodRunsThrowsNoErrorOfOurs() {
        Hears hears = new Hears();
        StreamingLanguageModel model = (prompt, handler) -> Caller.call(() -> {
            for (int piece = 0; piece < 400; piece++) {
                handler.onNext(WORDS);
            }
        });
        MeteredModel.wrap(StreamingLanguageModel.class, model, budget.meter()).generate("prompt", hears);

        assertThat(hears.heard).last().asString().contains("cut off");
        assertThat(budget.held()).isZero();
        assertThat(budget.notices).isEmpty();
    }
}
