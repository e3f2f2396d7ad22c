package io.tokenbudget.integrationtests.langchain4j;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import io.tokenbudget.testkit.matrix.Layer;

/** Decorators as applications write them, a class for each kind. */
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
            return layer.around(request, () -> model.chat(request));
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

    private static final class OnAnotherThread extends Decorator {
        OnAnotherThread(Layer layer, ChatModel model) {
            super(layer, model);
        }
    }

    private static final class OnAnotherThreadThatFails extends Decorator {
        OnAnotherThreadThatFails(Layer layer, ChatModel model) {
            super(layer, model);
        }
    }

    private static final class Caching extends Decorator {
        Caching(Layer layer, ChatModel model) {
            super(layer, model);
        }
    }
}
