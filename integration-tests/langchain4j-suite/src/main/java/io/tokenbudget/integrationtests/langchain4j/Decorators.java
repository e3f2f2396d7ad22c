package io.tokenbudget.integrationtests.langchain4j;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.ChatResponseMetadata;
import io.tokenbudget.testkit.matrix.Layer;

/** Decorators as applications write them, a class for each kind; each gives an answer object of its own. */
final class Decorators {
    private Decorators() {}

    static ChatModel around(Layer layer, ChatModel model) {
        return switch (layer.kind()) {
            case DECORATOR -> new Plain(layer, model);
            case OTHER_THREAD -> new OnAnotherThread(layer, model);
            case OTHER_THREAD_THAT_FAILS -> new OnAnotherThreadThatFails(layer, model);
            case CACHE -> new Caching(layer, model);
        };
    }

    private abstract static class Decorator implements ChatModel {
        private final Layer layer;
        private final ChatModel model;

        Decorator(Layer layer, ChatModel model) {
            this.layer = layer;
            this.model = model;
        }

        @Override
        public ChatResponse doChat(ChatRequest request) {
            ChatResponse answer = layer.around(request, () -> model.chat(request));
            return ChatResponse.builder()
                    .aiMessage(answer.aiMessage())
                    .metadata(own(answer.metadata()))
                    .build();
        }

        ChatResponseMetadata own(ChatResponseMetadata metadata) {
            return metadata.toBuilder().build();
        }

        @Override
        public ChatRequestParameters defaultRequestParameters() {
            return model.defaultRequestParameters();
        }
    }

    private static final class Plain extends Decorator {
        Plain(Layer layer, ChatModel model) {
            super(layer, model);
        }
    }

    private static final class Caching extends Decorator {
        Caching(Layer layer, ChatModel model) {
            super(layer, model);
        }
    }

    /** Keeps the metadata: across threads, that is what the answer is recognised by. */
    private static class OnAnotherThread extends Decorator {
        OnAnotherThread(Layer layer, ChatModel model) {
            super(layer, model);
        }

        @Override
        ChatResponseMetadata own(ChatResponseMetadata metadata) {
            return metadata;
        }
    }

    private static final class OnAnotherThreadThatFails extends OnAnotherThread {
        OnAnotherThreadThatFails(Layer layer, ChatModel model) {
            super(layer, model);
        }
    }
}
