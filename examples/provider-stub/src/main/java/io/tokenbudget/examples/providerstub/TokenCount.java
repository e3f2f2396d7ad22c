package io.tokenbudget.examples.providerstub;

/**
 * What one call cost.
 *
 * @param input all tokens received, cached ones included
 * @param cachedInput the part of {@code input} that came from a cache
 * @param cacheWriteInput the part of {@code input} that was written to a cache
 * @param output all tokens produced, reasoning included
 * @param reasoning the part of {@code output} that is thoughts
 */
record TokenCount(long input, long cachedInput, long cacheWriteInput, long output, long reasoning) {

    static final TokenCount ZERO = new TokenCount(0, 0, 0, 0, 0);

    long total() {
        return input + output;
    }

    /** With the first {@code tokens} of the output only. */
    TokenCount withOutput(long tokens) {
        return new TokenCount(input, cachedInput, cacheWriteInput, tokens, Math.min(tokens, reasoning));
    }
}
