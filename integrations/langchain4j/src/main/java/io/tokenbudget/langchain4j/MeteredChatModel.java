package io.tokenbudget.langchain4j;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Frame;
import java.lang.reflect.Method;
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
        return new Metered(model, new LangChain4jMeter(meter)).proxy();
    }

    private static final class Metered extends ModelProxy<ChatModel> {
        private final LangChain4jMeter meter;

        Metered(ChatModel delegate, LangChain4jMeter meter) {
            super(ChatModel.class, delegate);
            this.meter = meter;
        }

        @Override
        @Nullable
        Object metered(Method method, ChatRequest request, @Nullable Object[] args) throws Throwable {
            Frame frame = meter.open(delegate(), request);
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
    }
}
