package io.tokenbudget.integrationtests.providerstub;

import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.anthropic.AnthropicTokenUsage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.googleai.GeminiThinkingConfig;
import dev.langchain4j.model.googleai.GoogleAiGeminiChatModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiStreamingChatModel;
import dev.langchain4j.model.ollama.OllamaChatModel;
import dev.langchain4j.model.ollama.OllamaStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiResponsesChatModel;
import dev.langchain4j.model.openai.OpenAiResponsesStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.model.output.TokenUsage;
import io.tokenbudget.examples.providerstub.ProviderStub;
import java.util.Map;

/** LangChain4j's clients, one for each format of the stub. */
enum Provider {
    OPENAI_CHAT {
        @Override
        ChatModel blocking(ProviderStub stub, String key, String model) {
            return OpenAiChatModel.builder()
                    .baseUrl(stub.baseUrl() + "/v1")
                    .apiKey(key)
                    .modelName(model)
                    .maxRetries(0)
                    .build();
        }

        @Override
        StreamingChatModel streaming(ProviderStub stub, String key, String model) {
            return OpenAiStreamingChatModel.builder()
                    .baseUrl(stub.baseUrl() + "/v1")
                    .apiKey(key)
                    .modelName(model)
                    .build();
        }
    },
    OPENAI_RESPONSES {
        @Override
        ChatModel blocking(ProviderStub stub, String key, String model) {
            return OpenAiResponsesChatModel.builder()
                    .baseUrl(stub.baseUrl() + "/v1")
                    .apiKey(key)
                    .modelName(model)
                    .build();
        }

        @Override
        StreamingChatModel streaming(ProviderStub stub, String key, String model) {
            return OpenAiResponsesStreamingChatModel.builder()
                    .baseUrl(stub.baseUrl() + "/v1")
                    .apiKey(key)
                    .modelName(model)
                    .build();
        }
    },
    ANTHROPIC {
        @Override
        ChatModel blocking(ProviderStub stub, String key, String model) {
            return AnthropicChatModel.builder()
                    .baseUrl(stub.baseUrl() + "/v1")
                    .apiKey(key)
                    .modelName(model)
                    .maxRetries(0)
                    .maxTokens(4000)
                    .thinkingType("enabled")
                    .thinkingBudgetTokens(1024)
                    .returnThinking(true)
                    .build();
        }

        @Override
        StreamingChatModel streaming(ProviderStub stub, String key, String model) {
            return AnthropicStreamingChatModel.builder()
                    .baseUrl(stub.baseUrl() + "/v1")
                    .apiKey(key)
                    .modelName(model)
                    .maxTokens(4000)
                    .thinkingType("enabled")
                    .thinkingBudgetTokens(1024)
                    .returnThinking(true)
                    .build();
        }

        @Override
        boolean showsThoughts() {
            return true;
        }

        @Override
        long input(TokenUsage usage) {
            AnthropicTokenUsage all = (AnthropicTokenUsage) usage;
            return (long) all.inputTokenCount() + all.cacheCreationInputTokens() + all.cacheReadInputTokens();
        }
    },
    OLLAMA {
        @Override
        ChatModel blocking(ProviderStub stub, String key, String model) {
            return OllamaChatModel.builder()
                    .baseUrl(stub.baseUrl())
                    .customHeaders(Map.of("Authorization", "Bearer " + key))
                    .modelName(model)
                    .maxRetries(0)
                    .think(true)
                    .returnThinking(true)
                    .build();
        }

        @Override
        StreamingChatModel streaming(ProviderStub stub, String key, String model) {
            return OllamaStreamingChatModel.builder()
                    .baseUrl(stub.baseUrl())
                    .customHeaders(Map.of("Authorization", "Bearer " + key))
                    .modelName(model)
                    .think(true)
                    .returnThinking(true)
                    .build();
        }

        @Override
        boolean showsThoughts() {
            return true;
        }
    },
    GEMINI {
        private static final GeminiThinkingConfig THINKING =
                GeminiThinkingConfig.builder().includeThoughts(true).build();

        @Override
        ChatModel blocking(ProviderStub stub, String key, String model) {
            return GoogleAiGeminiChatModel.builder()
                    .baseUrl(stub.baseUrl() + "/v1beta")
                    .apiKey(key)
                    .modelName(model)
                    .maxRetries(0)
                    .thinkingConfig(THINKING)
                    .returnThinking(true)
                    .build();
        }

        @Override
        StreamingChatModel streaming(ProviderStub stub, String key, String model) {
            return GoogleAiGeminiStreamingChatModel.builder()
                    .baseUrl(stub.baseUrl() + "/v1beta")
                    .apiKey(key)
                    .modelName(model)
                    .thinkingConfig(THINKING)
                    .returnThinking(true)
                    .build();
        }

        @Override
        boolean showsThoughts() {
            return true;
        }

        /** It takes the stream for complete. */
        @Override
        boolean noticesErrorsInMidStream() {
            return false;
        }

        @Override
        long output(TokenUsage usage) {
            return (long) usage.totalTokenCount() - usage.inputTokenCount();
        }
    };

    /** A model without retries that is shown thoughts, where that can be. */
    abstract ChatModel blocking(ProviderStub stub, String key, String model);

    abstract StreamingChatModel streaming(ProviderStub stub, String key, String model);

    boolean showsThoughts() {
        return false;
    }

    boolean noticesErrorsInMidStream() {
        return true;
    }

    /** All input that is billed. */
    long input(TokenUsage usage) {
        return usage.inputTokenCount();
    }

    /** All output that is billed. */
    long output(TokenUsage usage) {
        return usage.outputTokenCount();
    }
}
