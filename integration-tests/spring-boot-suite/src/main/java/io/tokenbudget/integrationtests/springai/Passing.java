package io.tokenbudget.integrationtests.springai;

import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Flux;

/** What an application puts around a model of a final class, so that its streams are metered as they flow. */
public class Passing implements ChatModel {
    private final ChatModel model;

    Passing(ChatModel model) {
        this.model = model;
    }

    @Override
    public ChatResponse call(Prompt prompt) {
        return model.call(prompt);
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
