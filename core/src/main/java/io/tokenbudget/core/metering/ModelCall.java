package io.tokenbudget.core.metering;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a call before it is made.
 *
 * @param model the model's name as the provider knows it, or null
 * @param inputTokens estimated input tokens of all messages, tool schemas and response schemas, zero or more
 * @param maxOutputTokens the request's bound on output for one answer, or null or not positive if it has none
 * @param answers how many answers the request asks for; zero if what comes back is not output tokens, as of an embedding
 */
public record ModelCall(
        @Nullable String model, long inputTokens, @Nullable Integer maxOutputTokens, int answers) {

    /** A call that asks for one answer. */
    public static ModelCall of(@Nullable String model, long inputTokens, @Nullable Integer maxOutputTokens) {
        return new ModelCall(model, inputTokens, maxOutputTokens, 1);
    }

    /** A call whose answer is not output tokens: vectors, pictures, sound, scores. */
    public static ModelCall withoutOutput(@Nullable String model, long inputTokens) {
        return new ModelCall(model, inputTokens, null, 0);
    }

    /** Whether the call has a bound on its output. */
    public boolean boundsOutput() {
        return answers == 0 || (maxOutputTokens != null && maxOutputTokens > 0);
    }
}
