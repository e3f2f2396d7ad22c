package io.tokenbudget.core.metering;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a call before it is made.
 *
 * @param model the model's name as the provider knows it, or null
 * @param inputTokens estimated input tokens of all messages, tool schemas and response schemas, zero or more, as counted:
 *     what the model's provider reported of earlier calls is applied later
 * @param maxOutputTokens the request's bound on output for one answer, thoughts included; null, not positive or larger than
 *     any model can write if it has none
 * @param answers how many answers the request asks for; zero if what comes back is not output tokens, as of an embedding
 * @param thinkingTokens how many tokens the request lets the model think; they count where nothing bounds the output, and
 *     zero or less is none
 * @param images how many pictures the request asks for
 */
public record ModelCall(
        @Nullable String model,
        long inputTokens,
        @Nullable Integer maxOutputTokens,
        int answers,
        long thinkingTokens,
        int images) {

    /** A bound beyond this is a way to say that there is none. */
    private static final int LARGEST_BOUND = 2_000_000;

    /** No provider gives more answers to one request. */
    private static final int MOST_ANSWERS = 1_000;

    /** Holds {@code answers}, {@code thinkingTokens} and {@code images} to what a provider would take. */
    public ModelCall {
        answers = Math.max(0, Math.min(answers, MOST_ANSWERS));
        thinkingTokens = Math.max(0, Math.min(thinkingTokens, LARGEST_BOUND));
        images = Math.max(0, Math.min(images, MOST_ANSWERS));
    }

    /** A call that says nothing of thinking. */
    public ModelCall(@Nullable String model, long inputTokens, @Nullable Integer maxOutputTokens, int answers) {
        this(model, inputTokens, maxOutputTokens, answers, 0);
    }

    /** A call that makes no pictures. */
    public ModelCall(
            @Nullable String model,
            long inputTokens,
            @Nullable Integer maxOutputTokens,
            int answers,
            long thinkingTokens) {
        this(model, inputTokens, maxOutputTokens, answers, thinkingTokens, 0);
    }

    /** A call that asks for one answer. */
    public static ModelCall of(@Nullable String model, long inputTokens, @Nullable Integer maxOutputTokens) {
        return new ModelCall(model, inputTokens, maxOutputTokens, 1);
    }

    /** A call whose answer is not output tokens: vectors, pictures, sound, scores. */
    public static ModelCall withoutOutput(@Nullable String model, long inputTokens) {
        return new ModelCall(model, inputTokens, null, 0);
    }

    /** A call that is answered with so many pictures. */
    public static ModelCall ofImages(@Nullable String model, long inputTokens, int images) {
        return new ModelCall(model, inputTokens, null, 0, 0, images);
    }

    /** Whether the call has a bound on its output. */
    public boolean boundsOutput() {
        return answers == 0 || (maxOutputTokens != null && maxOutputTokens > 0 && maxOutputTokens <= LARGEST_BOUND);
    }
}
