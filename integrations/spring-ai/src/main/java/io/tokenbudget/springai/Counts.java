package io.tokenbudget.springai;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.metadata.Usage;

/**
 * The numbers of a Spring AI usage that are summed over the rounds of a tool loop in 1.x, none negative.
 *
 * @param total at least the sum of prompt and completion
 * @param cached the part of the prompt that was read from a cache; zero where Spring AI does not sum it
 * @param cacheWrite the part of the prompt that was written to a cache; zero where Spring AI does not sum it
 */
record Counts(long prompt, long completion, long total, long cached, long cacheWrite) {
    static final Counts NONE = new Counts(0, 0, 0, 0, 0);

    private static final String BEDROCK = "software.amazon.awssdk.services.bedrockruntime.model.TokenUsage";
    private static final Getter BEDROCK_CACHE_READ = new Getter("cacheReadInputTokens");
    private static final Getter BEDROCK_CACHE_WRITE = new Getter("cacheWriteInputTokens");

    static Counts of(@Nullable Usage usage) {
        if (usage == null) {
            return NONE;
        }
        long prompt = positive(usage.getPromptTokens());
        long completion = positive(usage.getCompletionTokens());
        Counts counts =
                new Counts(prompt, completion, Math.max(positive(usage.getTotalTokens()), prompt + completion), 0, 0);
        Object nativeUsage = usage.getNativeUsage();
        return nativeUsage != null && nativeUsage.getClass().getName().equals(BEDROCK)
                ? counts.withCacheBeside(
                        positive(BEDROCK_CACHE_READ.number(nativeUsage)),
                        positive(BEDROCK_CACHE_WRITE.number(nativeUsage)))
                : counts;
    }

    /** These with what the prompt leaves out; the total may count it already. */
    Counts withCacheBeside(long read, long write) {
        long whole = prompt + read + write;
        return new Counts(whole, completion, Math.max(total, whole + completion), read, write);
    }

    boolean isEmpty() {
        return total == 0;
    }

    /** What came on top of {@code before}; null if this is no continuation of it. */
    @Nullable
    Counts since(Counts before) {
        boolean grew = prompt >= before.prompt && completion >= before.completion && total > before.total;
        return grew
                ? new Counts(
                        prompt - before.prompt,
                        completion - before.completion,
                        total - before.total,
                        Math.max(0, cached - before.cached),
                        Math.max(0, cacheWrite - before.cacheWrite))
                : null;
    }

    static long positive(@Nullable Number count) {
        return count == null ? 0 : Math.max(0, count.longValue());
    }
}
