package org.example;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.TokenUsage;

/** A LangChain4j model that answers at once and says that it took 30 tokens. */
public class EchoChatModel implements ChatModel {
    @Override
    public ChatResponse doChat(ChatRequest request) {
        return ChatResponse.builder()
                .aiMessage(AiMessage.from("echo"))
                .tokenUsage(new TokenUsage(10, 20))
                .build();
    }
}
