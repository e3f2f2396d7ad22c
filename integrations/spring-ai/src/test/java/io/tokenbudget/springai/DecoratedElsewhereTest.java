package io.tokenbudget.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.Embedding;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.EmbeddingRequest;
import org.springframework.ai.embedding.EmbeddingResponse;
import org.springframework.ai.image.Image;
import org.springframework.ai.image.ImageGeneration;
import org.springframework.ai.image.ImageModel;
import org.springframework.ai.image.ImagePrompt;
import org.springframework.ai.image.ImageResponse;
import org.springframework.ai.model.StreamingModel;
import org.springframework.ai.openai.audio.speech.Speech;
import org.springframework.ai.openai.audio.speech.SpeechPrompt;
import org.springframework.ai.openai.audio.speech.SpeechResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

@DisplayName("C1 one layer charges: a model that is no chat, decorated on another thread")
class DecoratedElsewhereTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final SpeechPrompt PROMPT = new SpeechPrompt("an old town by the sea on a quiet Sunday");

    private final Books books = Books.unlimited();

    /** Speaks, as 1.0 has it for OpenAI alone. */
    private interface Speaks extends StreamingModel<SpeechPrompt, SpeechResponse> {}

    private Speaks metered(Speaks model) {
        return MeteredModel.wrap(Speaks.class, model, books.meter);
    }

    /** How a decorator hands a stream on. */
    private enum HandedOn {
        AS_IT_IS,
        SUBSCRIBED_ELSEWHERE,
        PUBLISHED_ELSEWHERE,
        COPIED,
        THROUGH_A_QUEUE,
        COPIED_THROUGH_A_QUEUE;

        Flux<SpeechResponse> apply(Flux<SpeechResponse> stream) {
            return switch (this) {
                case AS_IT_IS -> stream;
                case SUBSCRIBED_ELSEWHERE -> stream.subscribeOn(Schedulers.parallel());
                case PUBLISHED_ELSEWHERE -> stream.publishOn(Schedulers.parallel(), 1);
                case COPIED -> stream.subscribeOn(Schedulers.parallel()).map(HandedOn::copied);
                case THROUGH_A_QUEUE -> queued(stream);
                case COPIED_THROUGH_A_QUEUE -> queued(stream).map(HandedOn::copied);
            };
        }

        private static SpeechResponse copied(SpeechResponse piece) {
            return new SpeechResponse(new Speech(piece.getResult().getOutput()));
        }

        /** Of the subscription nothing is left in there but the pieces. */
        private static Flux<SpeechResponse> queued(Flux<SpeechResponse> stream) {
            return Flux.defer(() -> {
                Sinks.Many<SpeechResponse> queue = Sinks.many().unicast().onBackpressureBuffer();
                CountDownLatch left = new CountDownLatch(1);
                var subscription = stream.subscribeOn(Schedulers.boundedElastic())
                        .doFinally(signal -> left.countDown())
                        .subscribe(queue::tryEmitNext, queue::tryEmitError, queue::tryEmitComplete);
                return queue.asFlux().doOnCancel(() -> {
                    subscription.dispose();
                    await(left);
                });
            });
        }

        private static void await(CountDownLatch left) {
            try {
                assertThat(left.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private Speaks decorated(HandedOn way, Flux<SpeechResponse> spoken) {
        Speaks inner = metered(prompt -> spoken);
        return metered(prompt -> way.apply(inner.stream(prompt)));
    }

    private static Flux<SpeechResponse> pieces() {
        return Flux.range(1, 3).map(number -> new SpeechResponse(new Speech(new byte[] {number.byteValue()})));
    }

    private void assertChargedOnce(int times) {
        assertThat(books.calls().metered()).as("metered").isEqualTo(times);
        assertThat(books.calls().unmetered()).as("unmetered").isZero();
        assertThat(books.held()).as("held").isZero();
        assertThat(books.openStreams()).as("open streams").isZero();
        assertThat(books.meter.current()).as("open on this thread").isNull();
        assertThat(books.notices).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aStreamIsChargedOnce(HandedOn way) {
        Speaks decorator = decorated(way, pieces());
        long once = ofOneCall();

        for (int time = 1; time <= 3; time++) {
            assertThat(decorator.stream(PROMPT).collectList().block(SOON)).hasSize(3);

            assertThat(books.used()).isEqualTo((1 + time) * once);
        }

        assertChargedOnce(4);
    }

    @ParameterizedTest
    @EnumSource
    void aStreamThatIsLeftIsChargedOnce(HandedOn way) {
        Speaks decorator = decorated(way, pieces().concatWith(Flux.never()));
        long once = ofOneCall();

        for (int time = 1; time <= 3; time++) {
            assertThat(decorator.stream(PROMPT).take(2).collectList().block(SOON))
                    .hasSize(2);

            assertThat(books.used()).isEqualTo((1 + time) * once);
        }

        assertChargedOnce(4);
    }

    @ParameterizedTest
    @EnumSource
    void aStreamThatFailsIsBookedOnce(HandedOn way) {
        Speaks decorator = decorated(way, pieces().concatWith(Flux.error(() -> new IllegalStateException("broken"))));
        long once = ofOneCall();

        for (int time = 1; time <= 3; time++) {
            assertThatThrownBy(() -> decorator.stream(PROMPT).blockLast(SOON)).hasMessage("broken");

            assertThat(books.used()).isEqualTo((1 + time) * once);
        }

        assertChargedOnce(4);
    }

    /** What one call costs that nobody decorates. */
    private long ofOneCall() {
        metered(prompt -> pieces()).stream(PROMPT).blockLast(SOON);
        assertThat(books.used()).isPositive();
        return books.used();
    }

    private static <T> T elsewhere(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work).join();
    }

    /** Blocking calls whose decorators keep as little of the answer as they can. */
    private enum Blocking {
        EMBEDDING {
            @Override
            void ask(Books books) {
                EmbeddingModel inner = MeteredModel.wrap(EmbeddingModel.class, new Embeds(), books.meter);
                EmbeddingModel decorator = MeteredModel.wrap(
                        EmbeddingModel.class,
                        new Embeds() {
                            @Override
                            public EmbeddingResponse call(EmbeddingRequest request) {
                                EmbeddingResponse answer = elsewhere(() -> inner.call(request));
                                return new EmbeddingResponse(answer.getResults().stream()
                                        .map(each -> new Embedding(each.getOutput(), each.getIndex()))
                                        .toList());
                            }
                        },
                        books.meter);
                assertThat(decorator.embed("text")).hasSize(1);
            }
        },
        EMBEDDING_OF_A_TEXT {
            @Override
            void ask(Books books) {
                EmbeddingModel inner = MeteredModel.wrap(EmbeddingModel.class, new Embeds(), books.meter);
                EmbeddingModel decorator = MeteredModel.wrap(
                        EmbeddingModel.class,
                        new Embeds() {
                            @Override
                            public float[] embed(String text) {
                                return elsewhere(() -> inner.embed(text));
                            }
                        },
                        books.meter);
                assertThat(decorator.embed("text")).hasSize(1);
            }
        },
        EMBEDDING_OF_TEXTS {
            @Override
            void ask(Books books) {
                EmbeddingModel inner = MeteredModel.wrap(EmbeddingModel.class, new Embeds(), books.meter);
                EmbeddingModel decorator = MeteredModel.wrap(
                        EmbeddingModel.class,
                        new Embeds() {
                            @Override
                            public List<float[]> embed(List<String> texts) {
                                return List.copyOf(elsewhere(() -> inner.embed(texts)));
                            }
                        },
                        books.meter);
                assertThat(decorator.embed(List.of("text"))).hasSize(1);
            }
        },
        IMAGE {
            @Override
            void ask(Books books) {
                ImageModel inner = MeteredModel.wrap(
                        ImageModel.class,
                        prompt -> new ImageResponse(List.of(new ImageGeneration(new Image("https://a.b/c", null)))),
                        books.meter);
                ImageModel decorator = MeteredModel.wrap(
                        ImageModel.class,
                        prompt -> {
                            ImageResponse answer = elsewhere(() -> inner.call(prompt));
                            return new ImageResponse(List.of(
                                    new ImageGeneration(answer.getResult().getOutput())));
                        },
                        books.meter);
                assertThat(decorator.call(new ImagePrompt("text")).getResults()).hasSize(1);
            }
        };

        abstract void ask(Books books);

        private static class Embeds implements EmbeddingModel {
            @Override
            public EmbeddingResponse call(EmbeddingRequest request) {
                return new EmbeddingResponse(List.of(new Embedding(new float[] {1}, 0)));
            }

            @Override
            public float[] embed(Document document) {
                return new float[] {1};
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBlockingCallIsChargedOnce(Blocking call) {
        call.ask(books);
        long once = books.used();
        assertThat(once).isPositive();

        call.ask(books);
        call.ask(books);

        assertThat(books.used()).isEqualTo(3 * once);
        assertChargedOnce(3);
    }
}
