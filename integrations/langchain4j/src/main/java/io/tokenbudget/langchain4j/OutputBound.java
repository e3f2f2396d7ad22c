package io.tokenbudget.langchain4j;

import dev.langchain4j.model.chat.request.ChatRequestParameters;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much output a request may produce at most: where that is said differs by provider and version.
 *
 * <ol>
 *   <li>the request's own parameters: {@code maxOutputTokens}, OpenAI's {@code maxCompletionTokens}; both are sent, so
 *       the larger counts
 *   <li>the model's default parameters, likewise
 *   <li>a field of the provider's model class, which is where LangChain4j 1.0 keeps it for Anthropic, Azure and others
 * </ol>
 */
final class OutputBound {
    private static final Reflected MAX_COMPLETION_TOKENS = Reflected.method("maxCompletionTokens");
    private static final Reflected CUSTOM_PARAMETERS = Reflected.method("customParameters");
    private static final List<Reflected> MODEL_FIELDS = List.of(
            Reflected.field("maxCompletionTokens"),
            Reflected.field("maxTokens"),
            Reflected.field("maxOutputTokens"),
            Reflected.field("maxNewTokens"));

    private OutputBound() {}

    /** Tokens of one answer, or null if nothing bounds them. */
    static @Nullable Integer of(
            Object model, @Nullable ChatRequestParameters request, @Nullable ChatRequestParameters defaults) {
        Integer bound = of(request);
        if (bound == null) {
            bound = of(defaults);
        }
        return bound == null ? ofModel(model) : bound;
    }

    /** How many answers are asked for: {@code n} among OpenAI's custom parameters. */
    static int answers(@Nullable ChatRequestParameters request, @Nullable ChatRequestParameters defaults) {
        Integer answers = answers(request);
        if (answers == null) {
            answers = answers(defaults);
        }
        return answers == null ? 1 : answers;
    }

    private static @Nullable Integer of(@Nullable ChatRequestParameters parameters) {
        if (parameters == null) {
            return null;
        }
        Integer common = positive(parameters.maxOutputTokens());
        Integer completion = positive(MAX_COMPLETION_TOKENS.number(parameters));
        if (common == null || completion == null) {
            return common == null ? completion : common;
        }
        return Math.max(common, completion);
    }

    private static @Nullable Integer ofModel(Object model) {
        String type = model.getClass().getName();
        if (type.startsWith("dev.langchain4j.") || type.startsWith("io.quarkiverse.langchain4j.")) {
            for (Reflected field : MODEL_FIELDS) {
                Integer bound = positive(field.number(model));
                if (bound != null) {
                    return bound;
                }
            }
        }
        return null;
    }

    private static @Nullable Integer answers(@Nullable ChatRequestParameters parameters) {
        return CUSTOM_PARAMETERS.get(parameters) instanceof Map<?, ?> custom && custom.get("n") instanceof Number n
                ? positive(n)
                : null;
    }

    private static @Nullable Integer positive(@Nullable Number number) {
        return number == null || number.longValue() <= 0
                ? null
                : (Integer) (int) Math.min(Integer.MAX_VALUE, number.longValue());
    }
}
