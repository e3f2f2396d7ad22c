package io.tokenbudget.springai;

import java.util.Collection;
import java.util.List;
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
 */
record CallOptions(
        @Nullable String model,
        @Nullable Integer maxOutputTokens,
        int answers,
        List<ToolCallback> tools,
        Collection<?> unresolvedTools) {

    private static final Getter OPTIONS = new Getter("getOptions");
    private static final Getter DEFAULT_OPTIONS = new Getter("getDefaultOptions");
    private static final Getter MAX_COMPLETION_TOKENS = new Getter("getMaxCompletionTokens");
    private static final Getter N = new Getter("getN");
    private static final Getter CANDIDATE_COUNT = new Getter("getCandidateCount");
    private static final Getter TOOL_NAMES = new Getter("getToolNames");

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
        return new CallOptions(
                        modelOf(first),
                        bound != null ? bound : maxOutput(second),
                        answers(first, second),
                        tools.isEmpty() ? tools(second) : tools,
                        toolNames.isEmpty() ? toolNames(second) : toolNames)
                .orModel(second);
    }

    private CallOptions orModel(@Nullable ChatOptions options) {
        return model != null
                ? this
                : new CallOptions(modelOf(options), maxOutputTokens, answers, tools, unresolvedTools);
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
}
