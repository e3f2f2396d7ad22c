package io.tokenbudget.langchain4j;

import dev.langchain4j.model.StreamingResponseHandler;
import dev.langchain4j.model.embedding.DimensionAwareEmbeddingModel;
import io.tokenbudget.core.metering.CallKind;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Frame;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Meters the calls of models that are no chat models, for applications without the agent: embeddings, images, moderation,
 * scoring, transcription, speech and completions, also streamed. Everything else is forwarded.
 *
 * <pre>{@code
 * EmbeddingModel model = MeteredModel.wrap(EmbeddingModel.class, OpenAiEmbeddingModel.builder()...build(), meter);
 * }</pre>
 *
 * <p>As thread-safe as the model it wraps.
 */
public final class MeteredModel {
    private static final String MODELS = "dev.langchain4j.model.";
    private static final String CHAT_MODELS = MODELS + "chat.";

    private MeteredModel() {}

    /**
     * A model that calls {@code model} and meters it.
     *
     * <p>Held is the estimate of the text that is sent, and for completions the output as for a chat; booked is what the
     * answer reports. A call that does not fit its budgets throws a {@link io.tokenbudget.LimitExceededException}; the handler
     * of a streamed one gets it as its error. Methods that the model leaves to its interface end in those that it has, so each
     * call is one however it is made. An {@code EmbeddingModel} that has to ask for its {@code dimension()} is not told what
     * that has cost: the estimate is booked and the call counted as one whose usage is missing.
     *
     * @param type the interface by which the application knows the model: {@code EmbeddingModel.class}
     * @throws IllegalArgumentException if {@code type} is no interface of LangChain4j's models, or one of those that are
     *     wrapped otherwise (chat models) or not metered (batches)
     */
    public static <M> M wrap(Class<M> type, M model, CallMeter meter) {
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(meter, "meter");
        String name = type.getName();
        if (!type.isInterface() || !name.startsWith(MODELS) || !name.endsWith("Model")) {
            throw new IllegalArgumentException(name + " is no interface of LangChain4j's models");
        }
        if (type.getSimpleName().startsWith("Batch")) {
            throw new IllegalArgumentException("batches are not metered, so " + name + " cannot be wrapped");
        }
        if (name.startsWith(CHAT_MODELS)) {
            throw new IllegalArgumentException(
                    "chat models are wrapped by MeteredChatModel and MeteredStreamingChatModel," + " not as " + name);
        }
        return proxy(type, model, new OtherCalls(meter));
    }

    private static <M> M proxy(Class<M> type, M model, OtherCalls calls) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                new Metered<>(type, CallKind.in(type.getName()), model, calls)));
    }

    private record Metered<M>(Class<M> type, CallKind kind, M model, OtherCalls calls) implements InvocationHandler {
        private static final Reflected KNOWN_DIMENSION = Reflected.hiddenMethod("knownDimension");
        private static final Reflected FOUND_DIMENSION = Reflected.field("dimension");

        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            if (Proxies.isOfObject(method)) {
                return Proxies.ofObject(proxy, method, arguments, "Metered" + type.getSimpleName(), model);
            }
            if (method.isDefault() && !Proxies.isOverridden(method, model)) {
                // It ends in another method of the model: on the model itself it would go past us.
                return InvocationHandler.invokeDefault(proxy, method, arguments);
            }
            if (method.getReturnType() == type) {
                // A model around this one: it asks the model as we do not see it.
                Object around = call(method, arguments);
                return around == null ? null : proxy(type, type.cast(around), calls);
            }
            if (arguments == null || arguments.length == 0) {
                return asksForItsDimension(method) ? metered(method, arguments, "test") : call(method, arguments);
            }
            return arguments[arguments.length - 1] instanceof StreamingResponseHandler<?> handler
                    ? streamed(method, arguments, handler)
                    : metered(method, arguments, arguments);
        }

        /** Also a model that cannot be asked whether it knows its dimension without asking its provider. */
        private boolean asksForItsDimension(Method method) {
            if (!method.getName().equals("dimension") || !(model instanceof DimensionAwareEmbeddingModel)) {
                return false;
            }
            try {
                return FOUND_DIMENSION.get(model) == null && KNOWN_DIMENSION.get(model) == null;
            } catch (Throwable applications) {
                calls.fault("finding out whether an embedding model knows its dimension", applications);
                return true;
            }
        }

        /** @param asked what the model is asked */
        private @Nullable Object metered(
                Method method, @Nullable Object @Nullable [] arguments, @Nullable Object... asked) throws Throwable {
            Frame frame = calls.open(model, kind, asked);
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
            return answer;
        }

        private @Nullable Object streamed(
                Method method, @Nullable Object[] arguments, StreamingResponseHandler<?> handler) throws Throwable {
            MeteredCompletion completion = calls.openStream(model, handler, arguments);
            if (completion.refusal() != null) {
                Throwable itsOwn = completion.tellRefusal();
                if (itsOwn != null) {
                    throw itsOwn;
                }
                return null;
            }
            @Nullable Object[] metered = arguments.clone();
            metered[metered.length - 1] = completion.handler();
            Throwable thrown = null;
            try {
                return call(method, metered);
            } catch (Throwable failed) {
                thrown = failed;
                throw failed;
            } finally {
                completion.begun(thrown);
            }
        }

        private @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
            return Proxies.call(model, method, arguments);
        }
    }
}
