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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

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

    /** What a decorator on another thread does with the handler. Each needs a class that no call has gone through. */
    enum Handing {
        LEFT_AS_IT_IS,
        LEFT_WRAPPED,
        CUT_AS_IT_IS,
        CUT_WRAPPED
    }

    /** A decorator of a class that nothing is known of. */
    static StreamingChatModel unknown(Handing handing, StreamingChatModel model) {
        return switch (handing) {
            case LEFT_AS_IT_IS ->
                new Elsewhere(model) {
                    @Override
                    StreamingChatResponseHandler handed(StreamingChatResponseHandler handler) {
                        return handler;
                    }
                };
            case LEFT_WRAPPED ->
                new Elsewhere(model) {
                    @Override
                    StreamingChatResponseHandler handed(StreamingChatResponseHandler handler) {
                        return wrapped(handler);
                    }
                };
            case CUT_AS_IT_IS ->
                new Elsewhere(model) {
                    @Override
                    StreamingChatResponseHandler handed(StreamingChatResponseHandler handler) {
                        return handler;
                    }
                };
            case CUT_WRAPPED ->
                new Elsewhere(model) {
                    @Override
                    StreamingChatResponseHandler handed(StreamingChatResponseHandler handler) {
                        return wrapped(handler);
                    }
                };
        };
    }

    private abstract static class Elsewhere implements StreamingChatModel {
        private final StreamingChatModel model;

        Elsewhere(StreamingChatModel model) {
            this.model = model;
        }

        abstract StreamingChatResponseHandler handed(StreamingChatResponseHandler handler);

        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
            CompletableFuture.runAsync(() -> model.chat(request, handed(handler)))
                    .join();
        }

        @Override
        public ChatRequestParameters defaultRequestParameters() {
            return model.defaultRequestParameters();
        }
    }

    private static StreamingChatResponseHandler wrapped(StreamingChatResponseHandler handler) {
        return wrapped(handler, response -> {});
    }

    private static StreamingChatResponseHandler wrapped(
            StreamingChatResponseHandler handler, Consumer<ChatResponse> complete) {
        return (StreamingChatResponseHandler) Proxy.newProxyInstance(
                StreamingChatResponseHandler.class.getClassLoader(),
                new Class<?>[] {StreamingChatResponseHandler.class},
                (proxy, method, args) -> {
                    if (method.getName().equals("onCompleteResponse")) {
                        complete.accept((ChatResponse) args[0]);
                    }
                    try {
                        return method.invoke(handler, args);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
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
                super.doChat(request, wrapped(handler, response -> answers.put(request.toString(), response)));
            } else {
                handler.onPartialResponse(known.aiMessage().text());
                handler.onCompleteResponse(known);
            }
        }
    }
}
