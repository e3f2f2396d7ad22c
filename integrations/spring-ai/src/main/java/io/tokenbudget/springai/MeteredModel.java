package io.tokenbudget.springai;

import io.tokenbudget.core.metering.CallKind;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Frame;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.model.Model;
import org.springframework.ai.model.ModelRequest;
import org.springframework.ai.model.StreamingModel;
import reactor.core.publisher.Flux;

/**
 * Meters the calls of models that are no chat models, for applications without the agent: embeddings, images, moderation,
 * transcription, speech, and what later versions of Spring AI add. Everything else is forwarded.
 *
 * <p>As thread-safe as the model it wraps.
 */
public final class MeteredModel {
    private MeteredModel() {}

    /**
     * A model that calls {@code model} and meters it.
     *
     * <p>Held is the estimate of the text that is sent, and booked what the answer reports. Methods by which a model hides
     * its answer's usage, such as {@code embed(Document)} and the first {@code dimensions()}, are booked with the estimate
     * and counted as calls whose usage is missing. A call that does not fit its budgets throws a {@link
     * io.tokenbudget.LimitExceededException}, a stream that does not fit ends with one.
     *
     * <p>The result's invocation handler takes methods of the model's own class too, and meters them as it does others.
     *
     * @param type the interface by which the application knows the model: {@code EmbeddingModel.class}
     * @throws IllegalArgumentException if {@code type} is no interface for models of Spring AI, or one for chat models,
     *     which {@link MeteredChatModel} meters
     */
    public static <M> M wrap(Class<M> type, M model, CallMeter meter) {
        if (!type.isInterface()
                || !(Model.class.isAssignableFrom(type) || StreamingModel.class.isAssignableFrom(type))) {
            throw new IllegalArgumentException(type.getName() + " is no interface of Spring AI's models");
        }
        if (type.getName().startsWith("org.springframework.ai.chat.")) {
            throw new IllegalArgumentException("chat models are wrapped by MeteredChatModel, not as " + type.getName());
        }
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                new Metered(type, model, new OtherCalls(meter), new SpringAiStreams(meter))));
    }

    private static final class Metered implements InvocationHandler {
        private static final String SPRING_AI = "org.springframework.ai.";

        private final Class<?> type;
        private final CallKind kind;
        private final Object model;
        private final OtherCalls calls;
        private final SpringAiStreams streams;

        /** Whether the model has been asked for its dimensions: it remembers them. */
        private volatile boolean dimensionsKnown;

        Metered(Class<?> type, Object model, OtherCalls calls, SpringAiStreams streams) {
            this.type = type;
            this.kind = kindOf(type);
            this.model = model;
            this.calls = calls;
            this.streams = streams;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            if (method.getDeclaringClass() == Object.class) {
                return ofObject(proxy, method, arguments);
            }
            Object first = arguments == null || arguments.length == 0 ? null : arguments[0];
            if (!(first instanceof ModelRequest<?>) && method.isDefault() && !Overrides.has(model, type, method)) {
                // What ends in another method of the model: on the model itself it would go past us.
                return InvocationHandler.invokeDefault(proxy, method, arguments);
            }
            if (Flux.class.isAssignableFrom(method.getReturnType())) {
                Flux<?> stream = (Flux<?>) call(method, arguments);
                return stream == null ? null : streams.other(model, kind, first, stream);
            }
            // Nothing is asked with null: it is the way in which libraries for mocks are told of a method.
            boolean isNothing = first == null && method.getParameterCount() > 0;
            return asks(method) && !isNothing ? metered(method, first, arguments) : call(method, arguments);
        }

        /** By the first of Spring AI's types among {@code type} and what it extends. */
        private static CallKind kindOf(Class<?> type) {
            CallKind kind = type.getName().startsWith(SPRING_AI) ? CallKind.in(type.getName()) : CallKind.OTHER;
            for (Class<?> each : kind == CallKind.OTHER ? type.getInterfaces() : new Class<?>[0]) {
                kind = kind == CallKind.OTHER ? kindOf(each) : kind;
            }
            return kind;
        }

        private boolean asks(Method method) {
            return !method.getName().startsWith("get") && !(dimensionsKnown && isDimensions(method));
        }

        private static boolean isDimensions(Method method) {
            return method.getName().equals("dimensions");
        }

        private @Nullable Object metered(
                Method method, @Nullable Object request, @Nullable Object @Nullable [] arguments) throws Throwable {
            Frame frame = calls.open(model, kind, request);
            RuntimeException refusal = frame.refusal();
            if (refusal != null) {
                throw refusal;
            }
            Object answer;
            try {
                answer = call(method, arguments);
            } catch (Throwable thrown) {
                calls.close(frame, null, thrown);
                throw thrown;
            }
            calls.close(frame, answer, null);
            if (isDimensions(method)) {
                dimensionsKnown = true;
            }
            return answer;
        }

        private @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
            try {
                return method.invoke(model, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getTargetException();
            }
        }

        private Object ofObject(Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
            return switch (method.getName()) {
                case "equals" -> arguments != null && proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "Metered" + type.getSimpleName() + "[" + model + "]";
            };
        }
    }
}
