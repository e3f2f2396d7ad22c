package io.tokenbudget.integrationtests.langchain4j;

import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.tokenbudget.testkit.matrix.Layer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Decorators of streaming models as applications write them, a class for each kind. */
final class StreamingDecorators {
    private StreamingDecorators() {}

    static StreamingChatModel around(Layer layer, StreamingChatModel model) {
        return switch (layer.kind()) {
            case DECORATOR -> new Plain(layer, model);
            case OTHER_THREAD -> new OnAnotherThread(layer, model);
            case OTHER_THREAD_THAT_FAILS -> new OnAnotherThreadThatFails(layer, model);
            case CACHE -> new Caching(layer, model);
        };
    }

    private abstract static class Decorator implements StreamingChatModel {
        private final Layer layer;
        final StreamingChatModel model;

        Decorator(Layer layer, StreamingChatModel model) {
            this.layer = layer;
            this.model = model;
        }

        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
            layer.begin(() -> model.chat(request, handler));
        }

        @Override
        public ChatRequestParameters defaultRequestParameters() {
            return model.defaultRequestParameters();
        }
    }

    private static final class Plain extends Decorator {
        Plain(Layer layer, StreamingChatModel model) {
            super(layer, model);
        }
    }

    private static final class OnAnotherThread extends Decorator {
        OnAnotherThread(Layer layer, StreamingChatModel model) {
            super(layer, model);
        }
    }

    private static final class OnAnotherThreadThatFails extends Decorator {
        OnAnotherThreadThatFails(Layer layer, StreamingChatModel model) {
            super(layer, model);
        }
    }

    /** Keeps whole answers and tells them again. */
    private static final class Caching extends Decorator {
        private final Map<String, ChatResponse> answers = new ConcurrentHashMap<>();

        Caching(Layer layer, StreamingChatModel model) {
            super(layer, model);
        }

        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
            ChatResponse known = answers.get(request.toString());
            if (known == null) {
                super.doChat(request, keeping(request.toString(), handler));
            } else {
                handler.onPartialResponse(known.aiMessage().text());
                handler.onCompleteResponse(known);
            }
        }

        private StreamingChatResponseHandler keeping(String key, StreamingChatResponseHandler handler) {
            return (StreamingChatResponseHandler) Proxy.newProxyInstance(
                    handler.getClass().getClassLoader(),
                    new Class<?>[] {StreamingChatResponseHandler.class},
                    (proxy, method, args) -> {
                        if (method.getName().equals("onCompleteResponse")) {
                            answers.put(key, (ChatResponse) args[0]);
                        }
                        try {
                            return method.invoke(handler, args);
                        } catch (InvocationTargetException e) {
                            throw e.getTargetException();
                        }
                    });
        }
    }
}
