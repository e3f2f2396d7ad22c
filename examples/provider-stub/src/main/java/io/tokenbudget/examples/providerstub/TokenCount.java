package io.tokenbudget.examples.providerstub;

/**
 * What one call cost.
 *
 * @param input all tokens received, cached ones included
 * @param cachedInput the part of {@code input} that came from a cache
 * @param output all tokens produced, reasoning included
 * @param reasoning the part of {@code output} that the client never sees
 */
record TokenCount(long input, long cachedInput, long output, long reasoning) {

    static final TokenCount ZERO = new TokenCount(0, 0, 0, 0);

    long total() {
        return input + output;
    }

    TokenCount withOutput(long tokens, long reasoningTokens) {
        return new TokenCount(input, cachedInput, tokens, reasoningTokens);
    }
}
