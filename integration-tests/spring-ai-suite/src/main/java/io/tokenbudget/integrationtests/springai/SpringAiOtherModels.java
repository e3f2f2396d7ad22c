package io.tokenbudget.integrationtests.springai;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.testkit.matrix.OtherModelsMatrix;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.audio.transcription.AudioTranscriptionPrompt;
import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.EmbeddingRequest;
import org.springframework.ai.embedding.TokenCountBatchingStrategy;
import org.springframework.ai.image.ImageModel;
import org.springframework.ai.image.ImagePrompt;
import org.springframework.ai.model.Model;
import org.springframework.ai.model.ModelRequest;
import org.springframework.ai.model.ModelResponse;
import org.springframework.ai.model.StreamingModel;
import org.springframework.ai.moderation.ModerationModel;
import org.springframework.ai.moderation.ModerationPrompt;
import org.springframework.core.io.ByteArrayResource;
import reactor.core.publisher.Flux;

/** The account of Spring AI's models that are no chat models. */
abstract class SpringAiOtherModels extends OtherModelsMatrix<EmbeddingModel> {
    private final OtherModels models = OtherModels.present();

    @Override
    protected EmbeddingModel embedding(At at) {
        return metered(EmbeddingModel.class, models.embedding(in(at)));
    }

    private static OtherModels.At in(At at) {
        return new OtherModels.At(at.baseUrl(), at.apiKey(), at.modelName());
    }

    @Override
    protected void embed(EmbeddingModel model, String text) {
        model.embed(text);
    }

    /** The ways to ask for vectors. */
    enum Embedding {
        CALL {
            @Override
            void ask(EmbeddingModel model) {
                model.call(new EmbeddingRequest(
                        List.of(TEXT, TEXT), OtherModels.present().embeddingOptions()));
            }
        },
        TEXT_ALONE {
            @Override
            void ask(EmbeddingModel model) {
                model.embed(TEXT);
            }
        },
        TEXTS {
            @Override
            void ask(EmbeddingModel model) {
                model.embed(List.of(TEXT, TEXT));
            }
        },
        FOR_RESPONSE {
            @Override
            void ask(EmbeddingModel model) {
                model.embedForResponse(List.of(TEXT));
            }
        },
        DOCUMENTS {
            @Override
            void ask(EmbeddingModel model) {
                model.embed(
                        List.of(new Document(TEXT), new Document(TEXT)),
                        OtherModels.present().embeddingOptions(),
                        new TokenCountBatchingStrategy());
            }
        },
        DOCUMENT(true) {
            @Override
            void ask(EmbeddingModel model) {
                model.embed(new Document(TEXT));
            }
        },
        DIMENSIONS(true) {
            @Override
            void ask(EmbeddingModel model) {
                model.dimensions();
                model.dimensions();
            }
        };

        /** Whether the model calls itself, so that nobody in front of it is told the usage. */
        private final boolean hidesUsage;

        Embedding() {
            this(false);
        }

        Embedding(boolean hidesUsage) {
            this.hidesUsage = hidesUsage;
        }

        abstract void ask(EmbeddingModel model);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("C1, C4: every way to ask for vectors is one call")
    void everyWayToAskForVectorsIsOneCall(Embedding way) {
        String cell = "embedding-" + way;
        EmbeddingModel model = embedding(at(cell, "ok"));

        way.ask(model);

        boolean told = seesEveryCall() || !way.hidesUsage;
        long billed = billed(cell).inputTokens();
        assertThat(billed).isPositive();
        if (told) {
            assertThat(used(cell, "input tokens")).isEqualTo(billed);
        } else {
            assertThat(used(cell, "input tokens")).isBetween(1L, billed * 2);
        }
        assertThat(used(cell, "output tokens")).isZero();
        assertCalls(1, told ? 0 : 1);
    }

    /** Calls whose usage the framework does not hand on, and what is known of them. */
    enum Other {
        /** OpenAI tells what an image has cost, and no version hands it on. */
        IMAGE,
        /** Costs nothing, and tells nothing. */
        MODERATION,
        /** OpenAI never tells. */
        SPEECH,
        SPEECH_STREAMED
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("C4: what the framework does not tell is the estimate of the text, and usage missing")
    void whatIsNotToldIsEstimated(Other other) {
        String cell = "other-" + other;

        ask(other, at(cell, "ok"));

        assertThat(stub().ledger().calls(cell)).hasSize(1);
        assertEstimateOfText(cell);
        assertCalls(1, 1);
    }

    private void ask(Other other, At at) {
        switch (other) {
            case IMAGE -> metered(ImageModel.class, models.image(in(at))).call(new ImagePrompt(TEXT));
            case MODERATION ->
                metered(ModerationModel.class, models.moderation(in(at))).call(new ModerationPrompt(TEXT));
            case SPEECH -> call(models.speech(in(at)), models.speechOf(TEXT));
            case SPEECH_STREAMED ->
                stream(models.speech(in(at)), models.speechOf(TEXT)).blockLast();
        }
    }

    @Test
    @DisplayName("C4: a transcription is booked as it is billed where the framework tells it")
    void aTranscriptionIsBookedAsItIsBilledWhereItIsTold() {
        String cell = "transcription";

        ModelResponse<?> response = call(
                models.transcription(in(at(cell, "ok"))),
                new AudioTranscriptionPrompt(new ByteArrayResource(new byte[10]) {
                    @Override
                    public String getFilename() {
                        return "speech.mp3";
                    }
                }));

        boolean told = tellsUsage(response);
        assertThat(used(cell, "tokens")).isEqualTo(told ? billed(cell).totalTokens() : 1);
        assertCalls(1, told ? 0 : 1);
    }

    private static boolean tellsUsage(ModelResponse<?> response) {
        Object metadata = response.getMetadata();
        try {
            return metadata != null && metadata.getClass().getMethod("getUsage").invoke(metadata) != null;
        } catch (ReflectiveOperationException before) {
            return false;
        }
    }

    @Test
    @DisplayName("C5: speech that streams is held from its subscription on, and booked when the application leaves")
    void speechThatStreamsIsBookedWhenTheApplicationLeaves() {
        String cell = "speech-left";
        Flux<?> stream = stream(models.speech(in(at(cell, "ok"))), models.speechOf(TEXT.repeat(2000)));
        assertThat(way().budgets().reservations().held())
                .as("before the subscription")
                .isZero();

        stream.doOnNext(piece ->
                        assertThat(way().budgets().reservations().held()).isOne())
                .take(1)
                .blockLast();

        awaitNothingHeld();
        assertThat(used(cell, "input tokens")).isPositive();
        assertCalls(1, 0);
    }

    @Test
    @DisplayName("C6: speech that fails before anything has flowed is refunded")
    void speechThatFailsIsRefunded() {
        String cell = "speech-fails";
        Flux<?> stream = stream(models.speech(in(at(cell, "error-400"))), models.speechOf(TEXT));

        boolean failed = fails(stream);

        // 1.x hands the text of the error on as if it were sound, and nobody can tell.
        assertThat(failed).isEqualTo(models.failsToSpeak());
        assertThat(used(cell, "tokens") == 0).isEqualTo(failed);
        assertCalls(1, failed ? 0 : 1);
    }

    private static boolean fails(Flux<?> stream) {
        try {
            stream.blockLast();
            return false;
        } catch (RuntimeException expected) {
            return true;
        }
    }

    private void awaitNothingHeld() {
        long end = System.nanoTime() + 20_000_000_000L;
        while (way().budgets().reservations().held() > 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // each version has types of its own for requests
    private ModelResponse<?> call(Model<?, ?> model, ModelRequest<?> request) {
        Model metered = metered(Model.class, model);
        return Objects.requireNonNull((ModelResponse<?>) metered.call(request));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private Flux<?> stream(@Nullable Object model, ModelRequest<?> request) {
        StreamingModel metered = metered(StreamingModel.class, (StreamingModel) Objects.requireNonNull(model));
        return metered.stream(request);
    }
}
