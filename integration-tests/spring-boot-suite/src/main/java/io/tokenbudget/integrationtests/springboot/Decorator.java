package io.tokenbudget.integrationtests.springboot;

import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Flux;

/** A decorator as applications write them, in a class that nothing can extend. */
final class Decorator implements ChatModel {
    private final ChatModel model;

    Decorator(ChatModel model) {
        this.model = model;
    }

    @Override
    public ChatResponse call(Prompt prompt) {
        return ChatResponse.builder().from(model.call(prompt)).build();
    }

    @Override
    public Flux<ChatResponse> stream(Prompt prompt) {
        return model.stream(prompt);
    }

    @Override
    public ChatOptions getDefaultOptions() {
        return model.getDefaultOptions();
    }

    /** Overrides what 2.0 has instead. */
    public ChatOptions getOptions() {
        return model.getDefaultOptions();
    }
}
