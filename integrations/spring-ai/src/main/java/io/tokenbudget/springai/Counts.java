package io.tokenbudget.springai;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.metadata.Usage;

/**
 * The three numbers of a Spring AI usage, none negative.
 *
 * @param total at least the sum of the other two
 */
record Counts(long prompt, long completion, long total) {
    static final Counts NONE = new Counts(0, 0, 0);

    static Counts of(@Nullable Usage usage) {
        if (usage == null) {
            return NONE;
        }
        long prompt = positive(usage.getPromptTokens());
        long completion = positive(usage.getCompletionTokens());
        return new Counts(prompt, completion, Math.max(positive(usage.getTotalTokens()), prompt + completion));
    }

    boolean isEmpty() {
        return total == 0;
    }

    /** What came on top of {@code before}; null if this is no continuation of it. */
    @Nullable
    Counts since(Counts before) {
        boolean grew = prompt >= before.prompt && completion >= before.completion && total > before.total;
        return grew ? new Counts(prompt - before.prompt, completion - before.completion, total - before.total) : null;
    }

    private static long positive(@Nullable Integer count) {
        return count == null ? 0 : Math.max(0, count);
    }
}
