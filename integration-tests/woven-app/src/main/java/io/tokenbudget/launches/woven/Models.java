package io.tokenbudget.launches.woven;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;

/** The application's models. */
final class Models {
    private static final String NAME = "gpt-4o-mini";

    private Models() {}

    static ChatModel blocking(String baseUrl) {
        return OpenAiChatModel.builder()
                .baseUrl(baseUrl)
                .apiKey("key")
                .modelName(NAME)
                .maxTokens(20)
                .maxRetries(0)
                .build();
    }

    static StreamingChatModel streaming(String baseUrl) {
        return OpenAiStreamingChatModel.builder()
                .baseUrl(baseUrl)
                .apiKey("key")
                .modelName(NAME)
                .maxTokens(20)
                .build();
    }
}
