package io.tokenbudget.langchain4j;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Frame;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
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
 * wrapped model too: those that take a {@link ChatRequest} and return its answer are metered, those that end in such a
 * method ({@code chat(String)}) stay as the interface has them, all others are passed on.
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
                new Handler(model, new LangChain4jMeter(meter)));
    }

    private record Handler(ChatModel delegate, LangChain4jMeter meter) implements InvocationHandler {

        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args)
                throws Throwable {
            if (method.getDeclaringClass() == Object.class) {
                return ofObject(proxy, method, args);
            }
            if (args != null && args[0] instanceof ChatRequest request && answers(method)) {
                return metered(method, request, args);
            }
            if (method.getName().equals("chat") && method.getParameterTypes()[0] != ChatRequest.class) {
                return InvocationHandler.invokeDefault(proxy, method, args);
            }
            return call(method, args);
        }

        private static boolean answers(Method method) {
            return method.getReturnType() == ChatResponse.class;
        }

        private @Nullable Object metered(Method method, ChatRequest request, @Nullable Object[] args) throws Throwable {
            // The wrapped model is the target, so that a hook further in finds the same call on the same object.
            Frame frame = meter.open(delegate, request);
            RuntimeException refusal = frame.refusal();
            if (refusal != null) {
                throw refusal;
            }
            ChatResponse response;
            try {
                response = (ChatResponse) call(method, args);
            } catch (Throwable thrown) {
                meter.close(frame, null, thrown);
                throw thrown;
            }
            meter.close(frame, response, null);
            return response;
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
