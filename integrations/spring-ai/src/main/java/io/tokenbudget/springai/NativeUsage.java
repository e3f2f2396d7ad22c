package io.tokenbudget.springai;

import io.tokenbudget.Usage;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Translates one round's usage into what the provider bills.
 *
 * <p>Spring AI's three numbers do not mean the same everywhere: Anthropic's prompt tokens leave out what went through the
 * prompt cache, Gemini's completion tokens leave out the thoughts that its total counts. The provider is known by the
 * class of its native usage, which is gone as soon as Spring AI 1.x has summed two rounds.
 */
final class NativeUsage {
    private static final Convention CACHE_IS_PART = NativeUsage::openAi;
    private static final Convention CACHE_IS_EXTRA = NativeUsage::anthropic;

    private static final Map<String, Convention> CONVENTIONS = Map.of(
            "org.springframework.ai.openai.api.OpenAiApi$Usage", CACHE_IS_PART,
            "com.openai.models.completions.CompletionUsage", CACHE_IS_PART,
            "org.springframework.ai.anthropic.api.AnthropicApi$Usage", CACHE_IS_EXTRA,
            "com.anthropic.models.messages.Usage", CACHE_IS_EXTRA,
            "com.anthropic.models.messages.MessageDeltaUsage", CACHE_IS_EXTRA);

    private static final Getter PROMPT_DETAILS = new Getter("promptTokensDetails");
    private static final Getter CACHED = new Getter("cachedTokens");
    private static final Getter CACHE_WRITE = new Getter("cacheWriteTokens");
    private static final Getter COMPLETION_DETAILS = new Getter("completionTokenDetails");
    private static final Getter COMPLETION_DETAILS_OF_SDK = new Getter("completionTokensDetails");
    private static final Getter REASONING = new Getter("reasoningTokens");
    private static final Getter CACHE_READ_INPUT = new Getter("cacheReadInputTokens");
    private static final Getter CACHE_CREATION_INPUT = new Getter("cacheCreationInputTokens");
    private static final Getter CACHE_READ_OF_SPRING = new Getter("getCacheReadInputTokens");
    private static final Getter CACHE_WRITE_OF_SPRING = new Getter("getCacheWriteInputTokens");

    private NativeUsage() {}

    /** How one provider's counts relate. */
    private interface Convention {
        Usage translate(long input, long output, Object nativeUsage);
    }

    /**
     * @param counts of one round
     * @param reported where they came from
     */
    static Usage translate(Counts counts, org.springframework.ai.chat.metadata.Usage reported) {
        long input = counts.prompt();
        // What the total counts beyond the two is billed, and it is output: thoughts.
        long output = Math.max(counts.completion(), counts.total() - input);
        Object nativeUsage = reported.getNativeUsage();
        Convention convention = nativeUsage == null
                ? null
                : CONVENTIONS.get(nativeUsage.getClass().getName());
        return convention == null
                ? unknown(counts, output, reported)
                : convention.translate(input, output, nativeUsage);
    }

    private static Usage openAi(long input, long output, Object nativeUsage) {
        Object prompt = PROMPT_DETAILS.get(nativeUsage);
        Object completion = COMPLETION_DETAILS.get(nativeUsage);
        if (completion == null) {
            completion = COMPLETION_DETAILS_OF_SDK.get(nativeUsage);
        }
        return parts(input, CACHED.number(prompt), CACHE_WRITE.number(prompt), output, REASONING.number(completion));
    }

    private static Usage anthropic(long input, long output, Object nativeUsage) {
        long read = orZero(CACHE_READ_INPUT.number(nativeUsage));
        long write = orZero(CACHE_CREATION_INPUT.number(nativeUsage));
        return parts(input + read + write, read, write, output, null);
    }

    /** Spring AI 2.0's own cache numbers say nothing of whether the prompt includes them; the total may. */
    private static Usage unknown(Counts counts, long output, org.springframework.ai.chat.metadata.Usage reported) {
        long read = orZero(CACHE_READ_OF_SPRING.number(reported));
        long write = orZero(CACHE_WRITE_OF_SPRING.number(reported));
        long beyond = counts.total() - counts.prompt() - counts.completion();
        if (beyond > 0 && beyond == read + write) {
            return parts(counts.prompt() + beyond, read, write, counts.completion(), null);
        }
        return parts(counts.prompt(), read, write, output, null);
    }

    /** A part that exceeds its whole is cut down to it. */
    private static Usage parts(
            long input, @Nullable Long cached, @Nullable Long cacheWrite, long output, @Nullable Long reasoning) {
        long read = Math.min(orZero(cached), input);
        long write = Math.min(orZero(cacheWrite), input - read);
        return new Usage(input, read, write, output, Math.min(orZero(reasoning), output));
    }

    private static long orZero(@Nullable Long count) {
        return count == null ? 0 : Math.max(0, count);
    }
}
