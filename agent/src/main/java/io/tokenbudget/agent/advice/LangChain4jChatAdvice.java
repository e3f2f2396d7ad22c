package io.tokenbudget.agent.advice;

import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.langchain4j.LangChain4jMeter;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** Around {@code doChat(ChatRequest)} of LangChain4j's chat models, and {@code chat(ChatRequest)} where that is the end. */
public final class LangChain4jChatAdvice {
    private static final LangChain4jMeter METER =
            new LangChain4jMeter(BridgeLoader.meterFor(LangChain4jChatAdvice.class));

    private LangChain4jChatAdvice() {}

    /** Returns the open frame, or the refusal: then the model is not called. */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class, skipOn = Throwable.class)
    public static Object enter(@Advice.This Object model, @Advice.Argument(0) ChatRequest request) {
        Frame frame = METER.open(model, request);
        RuntimeException refusal = frame.refusal();
        return refusal == null ? frame : refusal;
    }

    /** Returns what to throw, or null to leave the outcome as it is. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    @Advice.AssignReturned.ToThrown
    public static @Nullable Throwable exit(
            @Advice.Enter @Nullable Object entered,
            @Advice.Return @Nullable ChatResponse response,
            @Advice.Thrown @Nullable Throwable thrown) {
        if (entered instanceof Frame frame) {
            METER.close(frame, response, thrown);
            return null;
        }
        return entered instanceof Throwable refusal ? refusal : null;
    }
}
