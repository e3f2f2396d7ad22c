package io.tokenbudget.springai;

import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Frame;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;

/**
 * Meters the calls and streams of one chat model, for applications without the agent. Everything else is forwarded.
 *
 * <p>A JDK proxy, because {@link ChatModel} has other methods in each generation of Spring AI and all of them must reach
 * the model. As thread-safe as the model it wraps.
 */
public final class MeteredChatModel {
    private MeteredChatModel() {}

    /**
     * A model that calls {@code model} and meters it.
     *
     * <p>A call that does not fit its budgets throws a {@link io.tokenbudget.LimitExceededException} and the model is not
     * called; a stream that does not fit ends with one as its error, at once or where no more could be held. With Spring AI
     * 1.x, build the model with a {@link MeteredToolCallingManager} too; without one a call and its
     * tool loop are held as one round, and settled in full.
     */
    public static ChatModel wrap(ChatModel model, CallMeter meter) {
        return (ChatModel) Proxy.newProxyInstance(
                ChatModel.class.getClassLoader(),
                new Class<?>[] {ChatModel.class},
                new Metered(model, new SpringAiMeter(meter), new SpringAiStreams(meter)));
    }

    private record Metered(ChatModel model, SpringAiMeter meter, SpringAiStreams streams) implements InvocationHandler {

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            Object argument = arguments != null && arguments.length == 1 ? arguments[0] : null;
            if (argument instanceof Prompt prompt && method.getName().equals("call")) {
                return call(prompt);
            }
            if (argument instanceof Prompt prompt && method.getName().equals("stream")) {
                return streams.stream(model, prompt);
            }
            if (argument != null && method.isDefault()) {
                // call(String) and the like: on the model itself they would go past us.
                return InvocationHandler.invokeDefault(proxy, method, argument);
            }
            return switch (method.getName()) {
                case "equals" -> proxy == argument;
                case "hashCode" -> System.identityHashCode(proxy);
                case "toString" -> "Metered " + model;
                default -> forward(method, arguments);
            };
        }

        private ChatResponse call(Prompt prompt) {
            Frame frame = meter.open(model, prompt);
            RuntimeException refusal = frame.refusal();
            if (refusal != null) {
                throw refusal;
            }
            ChatResponse response;
            try {
                response = model.call(prompt);
            } catch (Throwable thrown) {
                meter.close(frame, null, thrown);
                throw thrown;
            }
            meter.close(frame, response, null);
            return response;
        }

        private @Nullable Object forward(Method method, Object @Nullable [] arguments) throws Throwable {
            try {
                return method.invoke(model, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause() != null ? thrown.getCause() : thrown;
            }
        }
    }
}
