package io.tokenbudget.langchain4j;

import dev.langchain4j.model.output.TokenUsage;
import io.tokenbudget.Usage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of one answer, parts inside their wholes; zero where nothing was said. docs/usage.md has the table of what each
 * provider's mean.
 *
 * <p>Knows nothing of chats: what those need may be missing from a version, and other calls are metered all the same.
 */
record ReportedNumbers(long input, long cached, long cacheWrite, long output, long reasoning, long total) {
    static final ReportedNumbers NONE = new ReportedNumbers(0, 0, 0, 0, 0, 0);

    static ReportedNumbers of(TokenUsage usage) {
        long input = orZero(usage.inputTokenCount());
        long output = orZero(usage.outputTokenCount());
        long total = orZero(usage.totalTokenCount());
        long cached = 0;
        long cacheWrite = 0;
        long reasoning = 0;
        for (Part part : PARTS) {
            long tokens = part.tokens(usage);
            switch (part.kind) {
                case CACHED_INSIDE_INPUT -> cached += tokens;
                case CACHED_BESIDE_INPUT -> {
                    cached += tokens;
                    input += tokens;
                    total += total > 0 ? tokens : 0;
                }
                case CACHE_WRITE_BESIDE_INPUT -> {
                    cacheWrite += tokens;
                    input += tokens;
                    total += total > 0 ? tokens : 0;
                }
                case REASONING_INSIDE_OUTPUT -> reasoning += tokens;
                case REASONING_BESIDE_OUTPUT -> {
                    reasoning += tokens;
                    output += tokens;
                }
            }
        }
        long beyond = input > 0 ? Math.max(0, total - input - output) : 0;
        if (THOUGHTS.isOn(usage)) {
            // What Google's own tools have sent is in the total and nowhere else.
            input += beyond;
        } else {
            // So are the thoughts of Gemini before LangChain4j 1.19, and the reasoning of xAI.
            output += beyond;
        }
        return new ReportedNumbers(input, cached, cacheWrite, output, reasoning, total);
    }

    Usage usage(long input, long output) {
        long read = Math.min(cached, input);
        long write = Math.min(cacheWrite, input - read);
        return new Usage(input, read, write, output, Math.min(reasoning, output));
    }

    private static long orZero(@Nullable Integer count) {
        return count == null ? 0 : Math.max(0, count);
    }

    /** What an answer that is no chat's says that it cost; null if it does not say what the input was. */
    @Nullable
    Usage usage() {
        long rest = input > 0 ? input : total - output;
        return rest <= 0 ? null : usage(rest, output);
    }

    private enum Kind {
        CACHED_INSIDE_INPUT,
        CACHED_BESIDE_INPUT,
        CACHE_WRITE_BESIDE_INPUT,
        REASONING_INSIDE_OUTPUT,
        REASONING_BESIDE_OUTPUT
    }

    private static final Reflected THOUGHTS = Reflected.method("thoughtsTokenCount");

    /** What the subclasses of TokenUsage say beyond it, by the names of their methods: no provider is linked to. */
    private static final List<Part> PARTS = List.of(
            // OpenAiTokenUsage, OpenAiOfficialTokenUsage
            new Part(Kind.CACHED_INSIDE_INPUT, "inputTokensDetails", "cachedTokens"),
            new Part(Kind.REASONING_INSIDE_OUTPUT, "outputTokensDetails", "reasoningTokens"),
            // AnthropicTokenUsage, BedrockTokenUsage
            new Part(Kind.CACHED_BESIDE_INPUT, "cacheReadInputTokens"),
            new Part(Kind.CACHE_WRITE_BESIDE_INPUT, "cacheCreationInputTokens"),
            new Part(Kind.CACHE_WRITE_BESIDE_INPUT, "cacheWriteInputTokens"),
            // GoogleAiGeminiTokenUsage
            new Part(Kind.CACHED_INSIDE_INPUT, "cachedContentTokenCount"),
            new Part(Kind.REASONING_BESIDE_OUTPUT, "thoughtsTokenCount"));

    private static final class Part {
        private final Kind kind;
        private final List<Reflected> path;

        Part(Kind kind, String... methods) {
            this.kind = kind;
            List<Reflected> steps = new ArrayList<>();
            for (String method : methods) {
                steps.add(Reflected.method(method));
            }
            this.path = List.copyOf(steps);
        }

        long tokens(TokenUsage usage) {
            Object value = usage;
            for (Reflected step : path) {
                value = step.get(value);
            }
            return value instanceof Number number ? Math.max(0, number.longValue()) : 0;
        }
    }
}
