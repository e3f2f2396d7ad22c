package io.tokenbudget.langchain4j;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A model around another, for all methods of the model's type, also those that later versions of LangChain4j add.
 *
 * <p>What the wrapped model has a body of its own for is passed on to it, and metered if it asks the model something; what
 * it leaves to the interface runs as the interface has it, on the proxy, and ends in the former.
 *
 * @param <M> the model's type, an interface
 */
abstract class ModelProxy<M> implements InvocationHandler {
    /** LangChain4j makes no message of a blank text; the model's own method may. */
    private static final String BLANK = ".";

    private final Class<M> type;
    private final M delegate;

    /** The methods that the model has bodies of its own for. */
    private final Set<Method> overridden;

    ModelProxy(Class<M> type, M delegate) {
        this.type = type;
        this.delegate = delegate;
        Set<Method> own = new HashSet<>();
        for (Method method : type.getMethods()) {
            if (!method.isDefault() || Proxies.isOverridden(method, delegate)) {
                own.add(method);
            }
        }
        this.overridden = Set.copyOf(own);
    }

    /** The model that behaves so. */
    M proxy() {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this));
    }

    /** Passes a question on, metered. */
    abstract @Nullable Object metered(Method method, ChatRequest request, @Nullable Object[] args) throws Throwable;

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args) throws Throwable {
        if (Proxies.isOfObject(method)) {
            return Proxies.ofObject(proxy, method, args, "Metered" + type.getSimpleName(), delegate);
        }
        if (!overridden.contains(method)) {
            return InvocationHandler.invokeDefault(proxy, method, args);
        }
        if (args != null && args.length > 0) {
            ChatRequest request = requestOf(args[0]);
            if (request != null) {
                return metered(method, request, args);
            }
        }
        return call(method, args);
    }

    /** What the model is asked; null if {@code argument} is no question. */
    private static @Nullable ChatRequest requestOf(@Nullable Object argument) {
        if (argument instanceof ChatRequest request) {
            return request;
        }
        ChatRequest.Builder request = ChatRequest.builder();
        if (argument instanceof String text) {
            return request.messages(UserMessage.from(text.isBlank() ? BLANK : text))
                    .build();
        }
        if (argument instanceof ChatMessage[] messages && messages.length > 0) {
            return request.messages(messages).build();
        }
        if (argument instanceof List<?> list && !list.isEmpty() && list.get(0) instanceof ChatMessage) {
            return request.messages(list.stream().map(ChatMessage.class::cast).toList())
                    .build();
        }
        return null;
    }

    /** The wrapped model: what a hook further in finds, so that it is the same call on the same object. */
    M delegate() {
        return delegate;
    }

    @Nullable
    Object call(Method method, @Nullable Object @Nullable [] args) throws Throwable {
        return Proxies.call(delegate, method, args);
    }
}
