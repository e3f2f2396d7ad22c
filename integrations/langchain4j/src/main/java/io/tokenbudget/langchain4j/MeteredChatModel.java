package io.tokenbudget.langchain4j;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Frame;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Meters a chat model without the agent.
 *
 * <pre>{@code
 * ChatModel model = MeteredChatModel.wrap(OpenAiChatModel.builder()...build(), meter);
 * }</pre>
 *
 * <p>The result behaves as the model it wraps. A call whose budget is used up throws a {@code LimitExceededException} and
 * never reaches that model. It is as thread-safe as the model.
 *
 * <p>It is a proxy, not a class, so that methods which later versions of LangChain4j add to {@link ChatModel} reach the
 * wrapped model too. What the model has a body of its own for is passed on to it, and metered if it asks the model
 * something; what it leaves to the interface ({@code chat(String)}, or {@code chat(ChatRequest)} around {@code doChat})
 * runs as the interface has it, on the proxy, and ends in the former. So listeners run outside of what is metered.
 */
public final class MeteredChatModel {
    private MeteredChatModel() {}

    /**
     * A chat model that calls {@code model} as far as the budgets allow.
     *
     * @param model is called
     * @param meter books the calls
     */
    public static ChatModel wrap(ChatModel model, CallMeter meter) {
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(meter, "meter");
        return (ChatModel) Proxy.newProxyInstance(
                ChatModel.class.getClassLoader(),
                new Class<?>[] {ChatModel.class},
                Handler.of(model, new LangChain4jMeter(meter)));
    }

    /** @param overridden the methods that the model has bodies of its own for */
    private record Handler(ChatModel delegate, LangChain4jMeter meter, Set<Method> overridden)
            implements InvocationHandler {

        static Handler of(ChatModel delegate, LangChain4jMeter meter) {
            Set<Method> overridden = new HashSet<>();
            for (Method method : ChatModel.class.getMethods()) {
                if (!method.isDefault() || isOverridden(method, delegate.getClass())) {
                    overridden.add(method);
                }
            }
            return new Handler(delegate, meter, Set.copyOf(overridden));
        }

        private static boolean isOverridden(Method method, Class<?> type) {
            try {
                return type.getMethod(method.getName(), method.getParameterTypes())
                                .getDeclaringClass()
                        != ChatModel.class;
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException(type + " is no ChatModel", e);
            }
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args)
                throws Throwable {
            if (method.getDeclaringClass() == Object.class) {
                return ofObject(proxy, method, args);
            }
            if (!overridden.contains(method)) {
                return InvocationHandler.invokeDefault(proxy, method, args);
            }
            ChatRequest request = args == null || args.length == 0 ? null : requestOf(args[0]);
            return request == null ? call(method, args) : metered(method, request, args);
        }

        /** What the model is asked; null if {@code argument} is no question. */
        private static @Nullable ChatRequest requestOf(@Nullable Object argument) {
            if (argument instanceof ChatRequest request) {
                return request;
            }
            ChatRequest.Builder request = ChatRequest.builder();
            if (argument instanceof String text && !text.isBlank()) {
                return request.messages(UserMessage.from(text)).build();
            }
            if (argument instanceof ChatMessage[] messages && messages.length > 0) {
                return request.messages(messages).build();
            }
            if (argument instanceof List<?> list && !list.isEmpty() && list.get(0) instanceof ChatMessage) {
                return request.messages(
                                list.stream().map(ChatMessage.class::cast).toList())
                        .build();
            }
            return null;
        }

        private @Nullable Object metered(Method method, ChatRequest request, @Nullable Object @Nullable [] args)
                throws Throwable {
            // The wrapped model is the target, so that a hook further in finds the same call on the same object.
            Frame frame = meter.open(delegate, request);
            RuntimeException refusal = frame.refusal();
            if (refusal != null) {
                throw refusal;
            }
            Object answer;
            try {
                answer = call(method, args);
            } catch (Throwable thrown) {
                meter.close(frame, null, thrown);
                throw thrown;
            }
            meter.close(frame, responseOf(answer), null);
            return answer;
        }

        private static @Nullable ChatResponse responseOf(@Nullable Object answer) {
            if (answer instanceof String text) {
                return ChatResponse.builder().aiMessage(AiMessage.from(text)).build();
            }
            return (ChatResponse) answer;
        }

        private @Nullable Object call(Method method, @Nullable Object @Nullable [] args) throws Throwable {
            try {
                return method.invoke(delegate, args);
            } catch (InvocationTargetException e) {
                throw e.getTargetException();
            }
        }

        private Object ofObject(Object proxy, Method method, @Nullable Object @Nullable [] args) {
            return switch (method.getName()) {
                case "equals" -> args != null && proxy == args[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "MeteredChatModel[" + delegate + "]";
            };
        }
    }
}
