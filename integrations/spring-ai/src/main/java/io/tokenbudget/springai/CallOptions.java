package io.tokenbudget.springai;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;

/**
 * The options a call is made with. Immutable.
 *
 * <p>Spring AI 1.x merges a prompt's options with the model's defaults inside the model, field by field; 2.0 takes a
 * prompt's options as they are and the model's own only where the prompt has none.
 *
 * @param model name of the model, or null if neither the prompt nor the model says
 * @param maxOutputTokens for one answer; null or not positive if unbounded
 * @param answers how many answers are asked for, one or more
 * @param tools tools that the model may call
 * @param unresolvedTools names of tools that the model looks up itself (1.x)
 * @param answerSchema the JSON schema of the answer, or null
 * @param thinkingTokens how many tokens the model may think, zero if nothing says
 */
record CallOptions(
        @Nullable String model,
        @Nullable Integer maxOutputTokens,
        int answers,
        List<ToolCallback> tools,
        Collection<?> unresolvedTools,
        @Nullable String answerSchema,
        long thinkingTokens) {

    private static final Getter OPTIONS = new Getter("getOptions");
    private static final Getter DEFAULT_OPTIONS = new Getter("getDefaultOptions");
    private static final Getter MAX_COMPLETION_TOKENS = new Getter("getMaxCompletionTokens");
    private static final Getter N = new Getter("getN");
    private static final Getter CANDIDATE_COUNT = new Getter("getCandidateCount");
    private static final Getter TOOL_NAMES = new Getter("getToolNames");
    private static final Getter THINKING_BUDGET = new Getter("getThinkingBudget");

    // The schema of the answer, by provider: StructuredOutputChatOptions of 2.0; Gemini; Ollama; OpenAI and Mistral.
    private static final Getter OUTPUT_SCHEMA = new Getter("getOutputSchema");
    private static final Getter RESPONSE_SCHEMA = new Getter("getResponseSchema");
    private static final Getter FORMAT = new Getter("getFormat");
    private static final Getter RESPONSE_FORMAT = new Getter("getResponseFormat");
    private static final Getter JSON_SCHEMA = new Getter("getJsonSchema");
    private static final Getter SCHEMA = new Getter("getSchema");

    /** Whether this Spring AI merges inside the model. */
    static final boolean MODEL_MERGES = !OPTIONS.existsIn(ChatModel.class);

    /** What {@code model} will make of a prompt with these options. */
    static CallOptions of(Object model, @Nullable ChatOptions requested) {
        ChatOptions own = ownOptions(model);
        if (requested == null) {
            return read(own, null);
        }
        return MODEL_MERGES ? read(requested, own) : read(requested, null).orModel(own);
    }

    private static @Nullable ChatOptions ownOptions(Object model) {
        Getter getter = OPTIONS.existsIn(model.getClass()) ? OPTIONS : DEFAULT_OPTIONS;
        return getter.get(model) instanceof ChatOptions options ? options : null;
    }

    private static CallOptions read(@Nullable ChatOptions first, @Nullable ChatOptions second) {
        Integer bound = maxOutput(first);
        List<ToolCallback> tools = tools(first);
        Collection<?> toolNames = toolNames(first);
        String schema = schema(first);
        return new CallOptions(
                        modelOf(first),
                        bound != null ? bound : maxOutput(second),
                        answers(first, second),
                        tools.isEmpty() ? tools(second) : tools,
                        toolNames.isEmpty() ? toolNames(second) : toolNames,
                        schema != null ? schema : schema(second),
                        thinking(first, second))
                .orModel(second);
    }

    private CallOptions orModel(@Nullable ChatOptions options) {
        return model != null
                ? this
                : new CallOptions(
                        modelOf(options),
                        maxOutputTokens,
                        answers,
                        tools,
                        unresolvedTools,
                        answerSchema,
                        thinkingTokens);
    }

    private static @Nullable String modelOf(@Nullable ChatOptions options) {
        String name = options == null ? null : options.getModel();
        return name == null || name.isBlank() ? null : name;
    }

    /** OpenAI has two bounds, of which one may be set. */
    private static @Nullable Integer maxOutput(@Nullable ChatOptions options) {
        Long ofCompletion = MAX_COMPLETION_TOKENS.number(options);
        if (ofCompletion != null) {
            return (int) Math.min(Integer.MAX_VALUE, ofCompletion);
        }
        return options == null ? null : options.getMaxTokens();
    }

    private static int answers(@Nullable ChatOptions first, @Nullable ChatOptions second) {
        for (ChatOptions options : new @Nullable ChatOptions[] {first, second}) {
            for (Getter getter : List.of(N, CANDIDATE_COUNT)) {
                Long count = getter.number(options);
                if (count != null) {
                    return (int) Math.max(1, Math.min(count, 1000));
                }
            }
        }
        return 1;
    }

    private static List<ToolCallback> tools(@Nullable ChatOptions options) {
        List<ToolCallback> tools =
                options instanceof ToolCallingChatOptions calling ? calling.getToolCallbacks() : null;
        return tools == null ? List.of() : tools;
    }

    private static Collection<?> toolNames(@Nullable ChatOptions options) {
        return TOOL_NAMES.get(options) instanceof Collection<?> names ? names : List.of();
    }

    private static @Nullable String schema(@Nullable ChatOptions options) {
        if (options == null) {
            return null;
        }
        Object format = RESPONSE_FORMAT.get(options);
        for (Object schema : new @Nullable Object[] {
            OUTPUT_SCHEMA.get(options),
            RESPONSE_SCHEMA.get(options),
            SCHEMA.get(JSON_SCHEMA.get(format)),
            SCHEMA.get(format),
            FORMAT.get(options)
        }) {
            if ((schema instanceof String text && text.stripLeading().startsWith("{")) || schema instanceof Map<?, ?>) {
                return schema.toString();
            }
        }
        return null;
    }

    private static long thinking(@Nullable ChatOptions first, @Nullable ChatOptions second) {
        Long budget = THINKING_BUDGET.number(first);
        if (budget == null) {
            budget = THINKING_BUDGET.number(second);
        }
        return budget == null ? 0 : budget;
    }
}
