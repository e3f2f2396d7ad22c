package io.tokenbudget.springai;

import io.tokenbudget.Usage;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;

/**
 * Translates one round's usage into what the provider bills; docs/usage.md has the table.
 *
 * <p>Spring AI's three numbers do not mean the same everywhere: Anthropic's and Bedrock's prompt tokens leave out what went
 * through the prompt cache, Gemini's completion tokens leave out the thoughts that its total counts. The provider is known by
 * the class of its native usage, which is gone as soon as Spring AI 1.x has summed two rounds.
 */
final class NativeUsage {
    private static final Convention CACHE_IS_PART = NativeUsage::openAi;
    private static final Convention CACHE_IS_EXTRA = NativeUsage::anthropic;

    private static final Map<String, Convention> CONVENTIONS = Map.of(
            "org.springframework.ai.openai.api.OpenAiApi$Usage", CACHE_IS_PART,
            "com.openai.models.completions.CompletionUsage", CACHE_IS_PART,
            "com.azure.ai.openai.models.CompletionsUsage", CACHE_IS_PART,
            "org.springframework.ai.deepseek.api.DeepSeekApi$Usage", CACHE_IS_PART,
            "org.springframework.ai.zhipuai.api.ZhiPuAiApi$Usage", CACHE_IS_PART,
            "org.springframework.ai.anthropic.api.AnthropicApi$Usage", CACHE_IS_EXTRA,
            "com.anthropic.models.messages.Usage", CACHE_IS_EXTRA,
            "com.anthropic.models.messages.MessageDeltaUsage", CACHE_IS_EXTRA);

    private static final String OF_GEMINI = "org.springframework.ai.google.genai.metadata.GoogleGenAiUsage";

    private static final Getter PROMPT_DETAILS = new Getter("promptTokensDetails", "getPromptTokensDetails");
    private static final Getter CACHED = new Getter("cachedTokens", "getCachedTokens");
    private static final Getter CACHE_WRITE = new Getter("cacheWriteTokens");
    private static final Getter COMPLETION_DETAILS =
            new Getter("completionTokenDetails", "completionTokensDetails", "getCompletionTokensDetails");
    private static final Getter REASONING = new Getter("reasoningTokens", "getReasoningTokens");
    private static final Getter CACHE_READ_INPUT = new Getter("cacheReadInputTokens");
    private static final Getter CACHE_CREATION_INPUT = new Getter("cacheCreationInputTokens");
    private static final Getter OUTPUT_DETAILS = new Getter("outputTokensDetails");
    private static final Getter THINKING = new Getter("thinkingTokens");
    private static final Getter GEMINI_CACHED = new Getter("getCachedContentTokenCount");
    private static final Getter GEMINI_THOUGHTS = new Getter("getThoughtsTokenCount");
    private static final Getter GEMINI_TOOL_USE = new Getter("getToolUsePromptTokenCount");
    private static final Getter CACHE_READ_OF_SPRING = new Getter("getCacheReadInputTokens");
    private static final Getter CACHE_WRITE_OF_SPRING = new Getter("getCacheWriteInputTokens");

    /** Where Bedrock's model of Spring AI 1.1 puts what its usage has no place for. */
    private static final String CACHE_READ_KEY = "cacheReadInputTokens";

    private static final String CACHE_WRITE_KEY = "cacheWriteInputTokens";

    private NativeUsage() {}

    /** How one provider's counts relate. */
    private interface Convention {
        Usage translate(long input, long output, Object nativeUsage);
    }

    /**
     * @param counts of one round
     * @param reported where they came from
     * @param metadata of the answer they came with, or null
     */
    static Usage translate(
            Counts counts,
            org.springframework.ai.chat.metadata.Usage reported,
            @Nullable ChatResponseMetadata metadata) {
        Object nativeUsage = reported.getNativeUsage();
        Convention convention = nativeUsage == null
                ? null
                : CONVENTIONS.get(nativeUsage.getClass().getName());
        if (convention != null) {
            return convention.translate(counts.prompt(), output(counts), nativeUsage);
        }
        return reported.getClass().getName().equals(OF_GEMINI)
                ? gemini(counts, reported)
                : unknown(withCacheOfMetadata(counts, metadata), reported);
    }

    /** {@code usage} with the output that was counted, if the provider says there was none. */
    static Usage withCounted(Usage usage, long output) {
        return usage.outputTokens() > 0 || output <= 0
                ? usage
                : new Usage(usage.inputTokens(), usage.cachedInputTokens(), usage.cacheWriteTokens(), output, 0);
    }

    /** What the total counts beyond the two is billed, and it is output: thoughts. */
    private static long output(Counts counts) {
        return Math.max(counts.completion(), counts.total() - counts.prompt());
    }

    private static Usage openAi(long input, long output, Object nativeUsage) {
        Object prompt = PROMPT_DETAILS.get(nativeUsage);
        Object completion = COMPLETION_DETAILS.get(nativeUsage);
        return parts(input, CACHED.number(prompt), CACHE_WRITE.number(prompt), output, REASONING.number(completion));
    }

    private static Usage anthropic(long input, long output, Object nativeUsage) {
        long read = orZero(CACHE_READ_INPUT.number(nativeUsage));
        long write = orZero(CACHE_CREATION_INPUT.number(nativeUsage));
        Long thinking = THINKING.number(OUTPUT_DETAILS.get(nativeUsage));
        return parts(input + read + write, read, write, output, thinking);
    }

    /** What Google's own tools have sent is in the total, beside the prompt and the thoughts. */
    private static Usage gemini(Counts counts, org.springframework.ai.chat.metadata.Usage reported) {
        long toolUse = Math.min(
                orZero(GEMINI_TOOL_USE.number(reported)), counts.total() - counts.prompt() - counts.completion());
        long input = counts.prompt() + toolUse;
        return parts(
                input,
                GEMINI_CACHED.number(reported),
                null,
                Math.max(counts.completion(), counts.total() - input),
                GEMINI_THOUGHTS.number(reported));
    }

    private static Counts withCacheOfMetadata(Counts counts, @Nullable ChatResponseMetadata metadata) {
        if (metadata == null || counts.cached() + counts.cacheWrite() > 0) {
            return counts;
        }
        long read = Counts.positive(metadata.get(CACHE_READ_KEY) instanceof Number number ? number : null);
        long write = Counts.positive(metadata.get(CACHE_WRITE_KEY) instanceof Number number ? number : null);
        return read + write == 0 ? counts : counts.withCacheBeside(read, write);
    }

    /** Spring AI 2.0's own cache numbers say nothing of whether the prompt includes them; the total may. */
    private static Usage unknown(Counts counts, org.springframework.ai.chat.metadata.Usage reported) {
        if (counts.cached() + counts.cacheWrite() > 0) {
            return parts(counts.prompt(), counts.cached(), counts.cacheWrite(), output(counts), null);
        }
        long read = orZero(CACHE_READ_OF_SPRING.number(reported));
        long write = orZero(CACHE_WRITE_OF_SPRING.number(reported));
        long beyond = counts.total() - counts.prompt() - counts.completion();
        if (beyond > 0 && beyond == read + write) {
            return parts(counts.prompt() + beyond, read, write, counts.completion(), null);
        }
        return parts(counts.prompt(), read, write, output(counts), null);
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
