package io.tokenbudget;

/**
 * What one model call used, in tokens.
 *
 * <p>Cached and cache-write tokens are parts of the input, reasoning tokens are a part of the output: whoever reads a
 * provider's answer translates its convention into this one, so that {@link #total()} is what the provider bills.
 *
 * @param inputTokens all input, cached or not
 * @param cachedInputTokens the part of the input read from the provider's prompt cache
 * @param cacheWriteTokens the part of the input written to the provider's prompt cache
 * @param outputTokens all output, reasoning included
 * @param reasoningTokens the part of the output that was reasoning
 */
public record Usage(
        long inputTokens, long cachedInputTokens, long cacheWriteTokens, long outputTokens, long reasoningTokens) {

    /**
     * @throws IllegalArgumentException if a count is negative, a part exceeds its whole or the total overflows
     */
    public Usage {
        if (inputTokens < 0
                || cachedInputTokens < 0
                || cacheWriteTokens < 0
                || outputTokens < 0
                || reasoningTokens < 0) {
            throw new IllegalArgumentException("Token counts must not be negative: input " + inputTokens + ", cached "
                    + cachedInputTokens + ", cache write " + cacheWriteTokens + ", output " + outputTokens
                    + ", reasoning " + reasoningTokens);
        }
        if (cachedInputTokens > inputTokens || cacheWriteTokens > inputTokens - cachedInputTokens) {
            throw new IllegalArgumentException("Cached (" + cachedInputTokens + ") and cache-write (" + cacheWriteTokens
                    + ") tokens are parts of the input (" + inputTokens + ") and cannot exceed it");
        }
        if (reasoningTokens > outputTokens) {
            throw new IllegalArgumentException("Reasoning tokens (" + reasoningTokens + ") are a part of the output ("
                    + outputTokens + ") and cannot exceed it");
        }
        if (inputTokens > Long.MAX_VALUE - outputTokens) {
            throw new IllegalArgumentException(
                    "Input (" + inputTokens + ") and output (" + outputTokens + ") together exceed " + Long.MAX_VALUE);
        }
    }

    /** Usage without cached or reasoning tokens. */
    public static Usage of(long inputTokens, long outputTokens) {
        return new Usage(inputTokens, 0, 0, outputTokens, 0);
    }

    /** Input and output together: what limits on {@code tokens} count. */
    public long total() {
        return inputTokens + outputTokens;
    }
}
