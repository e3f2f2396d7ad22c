package io.tokenbudget.langchain4j;

import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.tokenbudget.core.metering.CallMeter;
import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Meters a streaming chat model without the agent.
 *
 * <pre>{@code
 * StreamingChatModel model = MeteredStreamingChatModel.wrap(OpenAiStreamingChatModel.builder()...build(), meter);
 * }</pre>
 *
 * <p>The result behaves as the model it wraps; as in {@link MeteredChatModel}, methods that later versions of LangChain4j
 * add reach it too. The handler of a call whose budget is used up gets one {@code onError} with a
 * {@code LimitExceededException}: before anything reaches the model, or in the middle of the answer, whose stream is then
 * closed. It is as thread-safe as the model.
 */
public final class MeteredStreamingChatModel {
    private MeteredStreamingChatModel() {}

    /**
     * A streaming chat model that calls {@code model} as far as the budgets allow.
     *
     * @param model is called
     * @param meter books the calls
     */
    public static StreamingChatModel wrap(StreamingChatModel model, CallMeter meter) {
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(meter, "meter");
        return new Metered(model, new LangChain4jMeter(meter)).proxy();
    }

    private static final class Metered extends ModelProxy<StreamingChatModel> {
        private final LangChain4jMeter meter;

        Metered(StreamingChatModel delegate, LangChain4jMeter meter) {
            super(StreamingChatModel.class, delegate);
            this.meter = meter;
        }

        @Override
        @Nullable
        Object metered(Method method, ChatRequest request, @Nullable Object[] args) throws Throwable {
            int last = args.length - 1;
            if (!(args[last] instanceof StreamingChatResponseHandler handler)) {
                return call(method, args);
            }
            MeteredStream stream = meter.openStream(delegate(), request, handler);
            if (stream.isRefused()) {
                Throwable toThrow = stream.tellRefusal();
                if (toThrow != null) {
                    throw toThrow;
                }
                return null;
            }
            @Nullable Object[] metered = args.clone();
            metered[last] = stream.handler();
            Throwable thrown = null;
            try {
                return call(method, metered);
            } catch (Throwable failed) {
                thrown = failed;
                throw failed;
            } finally {
                stream.begun(thrown);
            }
        }
    }
}
