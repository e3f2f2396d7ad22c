package org.springframework.ai.anthropic.api;

/** Spring AI's, as far as usage goes: a provider is known by the name of its native usage. */
public final class AnthropicApi {
    private AnthropicApi() {}

    public record Usage(
            Integer inputTokens,
            Integer outputTokens,
            Integer cacheCreationInputTokens,
            Integer cacheReadInputTokens) {}
}
