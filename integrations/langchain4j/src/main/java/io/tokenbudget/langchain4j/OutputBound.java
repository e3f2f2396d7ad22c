package io.tokenbudget.langchain4j;

import dev.langchain4j.model.chat.request.ChatRequestParameters;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much output a request may produce at most: where that is said differs by provider and version.
 *
 * <ol>
 *   <li>the request's own parameters: {@code maxOutputTokens}, OpenAI's {@code maxCompletionTokens}, and what custom
 *       parameters put into the body under the providers' own names; all are sent, so the largest counts
 *   <li>the model's default parameters, likewise
 *   <li>a field of the provider's model class, which is where LangChain4j 1.0 keeps it for Anthropic, Azure and others
 * </ol>
 *
 * The first that says anything decides, also one that says there is no bound: zero or less, as Ollama's -1 and -2.
 */
final class OutputBound {
    private static final Reflected MAX_COMPLETION_TOKENS = Reflected.method("maxCompletionTokens");
    private static final Reflected CUSTOM_PARAMETERS = Reflected.method("customParameters");
    private static final List<String> NAMES_IN_THE_BODY =
            List.of("max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens", "num_predict");
    private static final List<String> ANSWERS_IN_THE_BODY = List.of("n", "candidateCount", "candidate_count");
    private static final List<Reflected> MODEL_FIELDS = List.of(
            Reflected.field("maxCompletionTokens"),
            Reflected.field("maxTokens"),
            Reflected.field("maxOutputTokens"),
            Reflected.field("maxNewTokens"),
            Reflected.field("numPredict"));
    private static final Reflected THINKING_BUDGET = Reflected.method("thinkingBudget");
    private static final Reflected THINKING_BUDGET_TOKENS = Reflected.method("thinkingBudgetTokens");
    private static final Reflected THINKING_CONFIG = Reflected.method("thinkingConfig");
    private static final Reflected THINKING_BUDGET_FIELD = Reflected.field("thinkingBudget");
    private static final Reflected THINKING_CONFIG_FIELD = Reflected.field("thinkingConfig");

    private OutputBound() {}

    /** Tokens of one answer, or null if nothing bounds them. */
    static @Nullable Integer of(
            Object model, @Nullable ChatRequestParameters request, @Nullable ChatRequestParameters defaults) {
        Long bound = of(request);
        if (bound == null) {
            bound = of(defaults);
        }
        if (bound == null) {
            bound = ofModel(model);
        }
        return positive(bound);
    }

    /** How many answers are asked for: {@code n} or the like among custom parameters. */
    static int answers(@Nullable ChatRequestParameters request, @Nullable ChatRequestParameters defaults) {
        Integer answers = positive(inTheBody(request, ANSWERS_IN_THE_BODY));
        if (answers == null) {
            answers = positive(inTheBody(defaults, ANSWERS_IN_THE_BODY));
        }
        return answers == null ? 1 : answers;
    }

    /** How many tokens the model may think, by the request or the model; zero if neither says. */
    static long thinking(
            Object model, @Nullable ChatRequestParameters request, @Nullable ChatRequestParameters defaults) {
        for (ChatRequestParameters parameters : new @Nullable ChatRequestParameters[] {request, defaults}) {
            Long budget = THINKING_BUDGET_TOKENS.number(parameters);
            if (budget == null) {
                budget = THINKING_BUDGET.number(THINKING_CONFIG.get(parameters));
            }
            if (budget != null) {
                return budget;
            }
        }
        if (!isOfLangChain4j(model)) {
            return 0;
        }
        Long budget = THINKING_BUDGET_FIELD.number(model);
        if (budget == null) {
            budget = THINKING_BUDGET.number(THINKING_CONFIG_FIELD.get(model));
        }
        return budget == null ? 0 : budget;
    }

    private static @Nullable Long of(@Nullable ChatRequestParameters parameters) {
        if (parameters == null) {
            return null;
        }
        Integer common = parameters.maxOutputTokens();
        Long largest = common == null ? null : (Long) common.longValue();
        largest = larger(largest, MAX_COMPLETION_TOKENS.number(parameters));
        return larger(largest, inTheBody(parameters, NAMES_IN_THE_BODY));
    }

    private static @Nullable Long ofModel(Object model) {
        if (isOfLangChain4j(model)) {
            for (Reflected field : MODEL_FIELDS) {
                Long bound = field.number(model);
                if (bound != null) {
                    return bound;
                }
            }
        }
        return null;
    }

    private static boolean isOfLangChain4j(Object model) {
        String type = model.getClass().getName();
        return type.startsWith("dev.langchain4j.") || type.startsWith("io.quarkiverse.langchain4j.");
    }

    /** The largest of the numbers that custom parameters have under {@code names}, or null. */
    private static @Nullable Long inTheBody(@Nullable ChatRequestParameters parameters, List<String> names) {
        Long largest = null;
        if (CUSTOM_PARAMETERS.get(parameters) instanceof Map<?, ?> custom && !custom.isEmpty()) {
            for (String name : names) {
                largest = custom.get(name) instanceof Number number ? larger(largest, number.longValue()) : largest;
            }
        }
        return largest;
    }

    private static @Nullable Long larger(@Nullable Long one, @Nullable Long other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return Math.max(one, other);
    }

    private static @Nullable Integer positive(@Nullable Long number) {
        return number == null || number <= 0 ? null : (Integer) (int) Math.min(Integer.MAX_VALUE, number);
    }
}
