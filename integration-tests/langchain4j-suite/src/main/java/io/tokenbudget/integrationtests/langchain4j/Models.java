package io.tokenbudget.integrationtests.langchain4j;

import io.tokenbudget.testkit.matrix.BuilderByName;
import io.tokenbudget.testkit.matrix.ModelSpec;
import io.tokenbudget.testkit.matrix.Provider;
import java.util.Map;

/**
 * LangChain4j's models.
 *
 * <p>Built by the names of their builders' methods: those are the same on all lines, but what they return is not, and not
 * every line has every provider.
 */
final class Models {
    private static final String PACKAGE = "dev.langchain4j.model.";

    private Models() {}

    /** The blocking model. */
    static BuilderByName blocking(ModelSpec spec) {
        return builder(spec, "").with("maxRetries", spec.retries());
    }

    /** The streaming model. */
    static BuilderByName streaming(ModelSpec spec) {
        return builder(spec, "Streaming");
    }

    private static BuilderByName builder(ModelSpec spec, String kind) {
        BuilderByName builder = BuilderByName.of(type(spec.provider(), kind))
                .with("modelName", spec.modelName())
                .with("timeout", spec.timeout());
        return switch (spec.provider()) {
            case OPENAI ->
                builder.with("baseUrl", spec.baseUrl() + "/v1")
                        .with("apiKey", spec.apiKey())
                        .with("maxTokens", spec.maxOutputTokens());
            case ANTHROPIC ->
                builder.with("baseUrl", spec.baseUrl() + "/v1")
                        .with("apiKey", spec.apiKey())
                        .with("maxTokens", spec.maxOutputTokens());
            case OLLAMA ->
                builder.with("baseUrl", spec.baseUrl())
                        .with("customHeaders", Map.of("Authorization", "Bearer " + spec.apiKey()))
                        .with("numPredict", spec.maxOutputTokens());
            case GEMINI ->
                builder.with("baseUrl", spec.baseUrl() + "/v1beta")
                        .with("apiKey", spec.apiKey())
                        .with("maxOutputTokens", spec.maxOutputTokens());
        };
    }

    private static String type(Provider provider, String kind) {
        return PACKAGE
                + switch (provider) {
                    case OPENAI -> "openai.OpenAi" + kind;
                    case ANTHROPIC -> "anthropic.Anthropic" + kind;
                    case OLLAMA -> "ollama.Ollama" + kind;
                    case GEMINI -> "googleai.GoogleAiGemini" + kind;
                }
                + "ChatModel";
    }
}
