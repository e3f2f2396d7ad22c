package io.tokenbudget.agent.advice;

import dev.langchain4j.model.StreamingResponseHandler;
import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.langchain4j.MeteredCompletion;
import io.tokenbudget.langchain4j.OtherCalls;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;

/** Around the streamed completions of LangChain4j's language models. */
public final class LangChain4jCompletionStreamAdvice {
    private static final OtherCalls CALLS =
            new OtherCalls(BridgeLoader.meterFor(LangChain4jCompletionStreamAdvice.class));

    private LangChain4jCompletionStreamAdvice() {}

    /**
     * Returns the completion and the handler that the model gets. If the call is refused, the refusal, the application's
     * handler and the completion: then the model is not called.
     */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class, skipOn = Throwable.class, skipOnIndex = 0)
    @Advice.AssignReturned.ToArguments(
            @Advice.AssignReturned.ToArguments.ToArgument(value = 1, index = 1, typing = Assigner.Typing.DYNAMIC))
    public static Object @Nullable [] enter(
            @Advice.This Object model,
            @Advice.Argument(0) String prompt,
            @Advice.Argument(1) @Nullable StreamingResponseHandler<?> handler) {
        if (handler == null) {
            return null;
        }
        MeteredCompletion completion = CALLS.openStream(model, handler, prompt);
        RuntimeException refusal = completion.refusal();
        return refusal == null
                ? new Object[] {completion, completion.handler()}
                : new Object[] {refusal, handler, completion};
    }

    /** Returns what to throw, or null to leave the outcome as it is. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    @Advice.AssignReturned.ToThrown
    public static @Nullable Throwable exit(
            @Advice.Enter Object @Nullable [] entered, @Advice.Thrown @Nullable Throwable thrown) {
        if (entered == null) {
            return null;
        }
        if (entered[0] instanceof MeteredCompletion completion) {
            completion.begun(thrown);
            return null;
        }
        return ((MeteredCompletion) entered[2]).tellRefusal();
    }
}
