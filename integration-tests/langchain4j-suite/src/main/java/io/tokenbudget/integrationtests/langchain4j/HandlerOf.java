package io.tokenbudget.integrationtests.langchain4j;

import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.tokenbudget.testkit.matrix.StreamListener;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * The application's handler: tells a listener. A proxy, because the signals with a handle by which a stream is cancelled
 * are of LangChain4j 1.8, and this is compiled against 1.0.
 */
final class HandlerOf {
    private HandlerOf() {}

    static StreamingChatResponseHandler of(StreamListener listener) {
        return (StreamingChatResponseHandler) Proxy.newProxyInstance(
                StreamingChatResponseHandler.class.getClassLoader(),
                new Class<?>[] {StreamingChatResponseHandler.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "equals" -> proxy == args[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "toString" -> "the application's handler";
                    default -> {
                        tell(listener, method.getName(), args);
                        yield null;
                    }
                });
    }

    private static void tell(StreamListener listener, String signal, Object[] args) {
        switch (signal) {
            case "onPartialResponse" -> listener.piece(text(args[0]), args.length == 1 ? null : cancel(args[1]));
            case "onCompleteResponse" -> listener.completed(text((ChatResponse) args[0]));
            case "onError" -> listener.failed((Throwable) args[0]);
            default -> {}
        }
    }

    /** Ollama's client of 1.0 gives no response where there was no content. */
    private static @Nullable String text(@Nullable ChatResponse response) {
        return response == null ? null : response.aiMessage().text();
    }

    /** Of a text, or of a {@code PartialResponse}. */
    private static @Nullable String text(Object piece) {
        return piece instanceof String text ? text : (String) call(piece, "text");
    }

    /** By the {@code StreamingHandle} of a {@code PartialResponseContext}. */
    static Runnable cancel(Object context) {
        return () -> call(call(context, "streamingHandle"), "cancel");
    }

    private static Object call(Object target, String name) {
        try {
            Method method = target.getClass().getMethod(name);
            method.setAccessible(true);
            return method.invoke(target);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
