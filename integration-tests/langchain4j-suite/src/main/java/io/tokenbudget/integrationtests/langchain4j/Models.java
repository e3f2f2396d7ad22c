package io.tokenbudget.integrationtests.langchain4j;

import io.tokenbudget.testkit.matrix.ModelSpec;
import io.tokenbudget.testkit.matrix.Provider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
    static Builder blocking(ModelSpec spec) {
        return builder(spec, "").with("maxRetries", spec.retries());
    }

    /** The streaming model. */
    static Builder streaming(ModelSpec spec) {
        return builder(spec, "Streaming");
    }

    private static Builder builder(ModelSpec spec, String kind) {
        Builder builder = new Builder(type(spec.provider(), kind))
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

    static boolean exists(String type) {
        try {
            Class.forName(type);
            return true;
        } catch (ClassNotFoundException other) {
            return false;
        }
    }

    /** A model being built. */
    static final class Builder {
        private final Object builder;

        private Builder(String type) {
            try {
                this.builder = Class.forName(type).getMethod("builder").invoke(null);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Sets a property, unless {@code value} is null. */
        Builder with(String property, @Nullable Object value) {
            if (value == null) {
                return this;
            }
            for (Method method : builder.getClass().getMethods()) {
                if (method.getName().equals(property)
                        && method.getParameterCount() == 1
                        && method.getParameterTypes()[0].isInstance(value)) {
                    call(method, value);
                    return this;
                }
            }
            throw new IllegalStateException(builder + " takes no " + property + " like " + value);
        }

        <M> M build(Class<M> type) {
            try {
                return type.cast(call(builder.getClass().getMethod("build")));
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException(e);
            }
        }

        private Object call(Method method, Object... arguments) {
            try {
                return method.invoke(builder, arguments);
            } catch (InvocationTargetException e) {
                throw new IllegalStateException(e.getTargetException());
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
