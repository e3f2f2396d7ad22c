package io.tokenbudget.core.metering;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a call before it is made.
 *
 * @param model the model's name as the provider knows it, or null
 * @param inputTokens estimated input tokens of all messages, tool schemas and response schemas, zero or more
 * @param maxOutputTokens the request's bound on output for one answer, or null or not positive if it has none
 * @param answers how many answers the request asks for, one or more
 */
public record ModelCall(
        @Nullable String model, long inputTokens, @Nullable Integer maxOutputTokens, int answers) {

    /** A call that asks for one answer. */
    public static ModelCall of(@Nullable String model, long inputTokens, @Nullable Integer maxOutputTokens) {
        return new ModelCall(model, inputTokens, maxOutputTokens, 1);
    }

    /** Whether the call has a bound on its output. */
    public boolean boundsOutput() {
        return maxOutputTokens != null && maxOutputTokens > 0;
    }
}
