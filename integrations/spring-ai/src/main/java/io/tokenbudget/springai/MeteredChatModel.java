package io.tokenbudget.springai;

import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Frame;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Flux;

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
     *
     * <p>A model that has its own way for {@code call(String)}, {@code stream(String)} or their like is asked in that way. What
     * such an answer has cost is not told here: the estimated input and the counted output are booked.
     *
     * <p>The result's invocation handler takes methods of the model's own class too: one that takes a {@link Prompt} and returns a
     * {@link ChatResponse} or a {@code Flux} of them is metered like {@code call} and {@code stream}.
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
            if (method.getDeclaringClass() == Object.class) {
                return ofObject(proxy, method, arguments);
            }
            Object argument = arguments == null || arguments.length == 0 ? null : arguments[0];
            boolean calls = method.getName().equals("call");
            if (argument instanceof Prompt prompt && Flux.class.isAssignableFrom(method.getReturnType())) {
                return stream(prompt, method, arguments);
            }
            if (argument instanceof Prompt prompt
                    && (calls || ChatResponse.class.isAssignableFrom(method.getReturnType()))) {
                return call(prompt, method, arguments);
            }
            // Nothing is asked with null: it is the way in which libraries for mocks are told of a method.
            if (argument == null || (!calls && !method.getName().equals("stream"))) {
                return forward(method, arguments);
            }
            if (!Overrides.has(model, ChatModel.class, method)) {
                // call(String) and the like: on the model itself they would go past us.
                return InvocationHandler.invokeDefault(proxy, method, arguments);
            }
            return calls ? callItsWay(method, arguments) : streamItsWay(method, arguments);
        }

        private @Nullable Object ofObject(Object proxy, Method method, Object @Nullable [] arguments) {
            return switch (method.getName()) {
                case "equals" -> arguments != null && proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "Metered " + model;
            };
        }

        private @Nullable ChatResponse call(Prompt prompt, Method method, Object @Nullable [] arguments)
                throws Throwable {
            Frame frame = open(prompt);
            ChatResponse response;
            try {
                response = (ChatResponse) forward(method, arguments);
            } catch (Throwable thrown) {
                meter.close(frame, null, thrown);
                throw thrown;
            }
            meter.close(frame, response, null);
            return response;
        }

        private @Nullable Object stream(Prompt prompt, Method method, Object @Nullable [] arguments) {
            Object[] sent = arguments == null ? new Object[1] : arguments.clone();
            return streams.stream(model, prompt, tagged -> {
                sent[0] = tagged;
                return pieces(method, sent);
            });
        }

        @SuppressWarnings("unchecked") // what streams for a prompt streams answers
        private @Nullable Flux<ChatResponse> pieces(Method method, Object[] arguments) {
            try {
                return (Flux<ChatResponse>) forward(method, arguments);
            } catch (RuntimeException | Error thrown) {
                throw thrown;
            } catch (Throwable checked) {
                throw new UndeclaredThrowableException(checked);
            }
        }

        /** A way to ask that the model has made its own: whatever it asks of itself there goes past us. */
        private @Nullable Object callItsWay(Method method, Object @Nullable [] arguments) throws Throwable {
            Frame frame = open(promptOf(arguments));
            Object answer;
            try {
                answer = forward(method, arguments);
            } catch (Throwable thrown) {
                meter.close(frame, null, thrown);
                throw thrown;
            }
            meter.close(frame, answer instanceof String text ? answerOf(text) : null, null);
            return answer;
        }

        private @Nullable Object streamItsWay(Method method, Object @Nullable [] arguments) throws Throwable {
            Object stream = forward(method, arguments);
            return stream instanceof Flux<?> pieces
                    ? streams.metered(model, promptOf(arguments), pieces.map(piece -> answerOf((String) piece)))
                            .map(piece -> piece.getResult().getOutput().getText())
                    : stream;
        }

        private Frame open(Prompt prompt) {
            Frame frame = meter.open(model, prompt);
            RuntimeException refusal = frame.refusal();
            if (refusal != null) {
                throw refusal;
            }
            return frame;
        }

        /** What the text or the messages would be as a prompt. */
        private static Prompt promptOf(Object @Nullable [] arguments) {
            Object asked = arguments == null ? null : arguments[0];
            if (asked instanceof Message[] messages) {
                return new Prompt(List.of(messages));
            }
            return new Prompt(String.valueOf(asked));
        }

        private static ChatResponse answerOf(String text) {
            return new ChatResponse(List.of(new Generation(new AssistantMessage(text))));
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
