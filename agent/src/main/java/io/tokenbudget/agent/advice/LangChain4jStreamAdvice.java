package io.tokenbudget.agent.advice;

import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.langchain4j.LangChain4jMeter;
import io.tokenbudget.langchain4j.MeteredStream;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;

/**
 * Around {@code doChat(ChatRequest, StreamingChatResponseHandler)} of LangChain4j's streaming chat models, and
 * {@code chat} with the same parameters where that is the end.
 */
public final class LangChain4jStreamAdvice {
    private static final LangChain4jMeter METER =
            new LangChain4jMeter(BridgeLoader.meterFor(LangChain4jStreamAdvice.class));

    private LangChain4jStreamAdvice() {}

    /**
     * Returns the stream and the handler that the model gets. If the call is refused, the refusal, the application's handler
     * and the stream: then the model is not called.
     */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class, skipOn = Throwable.class, skipOnIndex = 0)
    @Advice.AssignReturned.ToArguments(
            @Advice.AssignReturned.ToArguments.ToArgument(value = 1, index = 1, typing = Assigner.Typing.DYNAMIC))
    public static Object @Nullable [] enter(
            @Advice.This Object model,
            @Advice.Argument(0) ChatRequest request,
            @Advice.Argument(1) @Nullable StreamingChatResponseHandler handler) {
        if (handler == null) {
            return null;
        }
        MeteredStream stream = METER.openStream(model, request, handler);
        RuntimeException refusal = stream.refusal();
        return refusal == null ? new Object[] {stream, stream.handler()} : new Object[] {refusal, handler, stream};
    }

    /** Returns what to throw, or null to leave the outcome as it is. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    @Advice.AssignReturned.ToThrown
    public static @Nullable Throwable exit(
            @Advice.Enter Object @Nullable [] entered, @Advice.Thrown @Nullable Throwable thrown) {
        if (entered == null) {
            return null;
        }
        if (entered[0] instanceof MeteredStream stream) {
            stream.begun(thrown);
            return null;
        }
        return ((MeteredStream) entered[2]).tellRefusal();
    }
}
