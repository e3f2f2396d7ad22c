package software.amazon.awssdk.services.bedrockruntime.model;

/** Amazon's, as far as it is read: a provider is known by the name of its native usage. */
public record TokenUsage(Integer cacheReadInputTokens, Integer cacheWriteInputTokens) {}
