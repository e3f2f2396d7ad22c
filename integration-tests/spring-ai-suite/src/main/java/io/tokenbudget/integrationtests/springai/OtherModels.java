package io.tokenbudget.integrationtests.springai;

import io.micrometer.observation.ObservationRegistry;
import java.util.ServiceLoader;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.EmbeddingOptions;
import org.springframework.ai.image.ImageModel;
import org.springframework.ai.model.Model;
import org.springframework.ai.model.ModelRequest;
import org.springframework.ai.moderation.ModerationModel;

/** How one generation of Spring AI builds those of OpenAI's models that are no chat models. */
public interface OtherModels {

    EmbeddingModel embedding(At at);

    /** Options for a request for vectors that leave all to the model. */
    EmbeddingOptions embeddingOptions();

    ImageModel image(At at);

    ModerationModel moderation(At at);

    /** Transcribes. */
    Model<?, ?> transcription(At at);

    /** Speaks: a {@link Model} and a {@link org.springframework.ai.model.StreamingModel}. */
    Model<?, ?> speech(At at);

    /** Whether a stream of speech fails where the provider answers with an error. */
    boolean failsToSpeak();

    /** The request for speech that says {@code text}. */
    ModelRequest<?> speechOf(String text);

    /**
     * Where a model is.
     *
     * @param baseUrl the provider's address without a path
     * @param listeners are told of its calls
     */
    record At(String baseUrl, String apiKey, String modelName, ObservationRegistry listeners) {
        At(String baseUrl, String apiKey, String modelName) {
            this(baseUrl, apiKey, modelName, ObservationRegistry.NOOP);
        }
    }

    /** The one that the class path brings, else the first. */
    static OtherModels present() {
        for (OtherModels brought : ServiceLoader.load(OtherModels.class)) {
            return brought;
        }
        return new FirstOtherModels();
    }
}
