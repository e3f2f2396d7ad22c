package org.example;

import java.util.List;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Flux;

/** A Spring AI model that answers at once and says that it took 30 tokens. */
public class EchoSpringChatModel implements ChatModel {
    @Override
    public ChatResponse call(Prompt prompt) {
        return answer();
    }

    @Override
    public Flux<ChatResponse> stream(Prompt prompt) {
        return Flux.just(answer());
    }

    private static ChatResponse answer() {
        return new ChatResponse(
                List.of(new Generation(new AssistantMessage("echo"))),
                ChatResponseMetadata.builder().usage(new DefaultUsage(10, 20)).build());
    }
}
