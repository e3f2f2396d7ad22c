package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.agent.Kind;
import io.tokenbudget.core.metering.CallKind;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.springai.OtherCalls;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;

/** Around Spring AI's calls that are no chat: embeddings, images, moderation, audio. */
public final class SpringAiOtherAdvice {
    private static final OtherCalls CALLS = new OtherCalls(BridgeLoader.meterFor(SpringAiOtherAdvice.class));

    private SpringAiOtherAdvice() {}

    /** Returns the open frame, or the refusal: then the model is not called. */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class, skipOn = Throwable.class)
    public static Object enter(
            @Advice.This Object model, @Advice.AllArguments @Nullable Object[] arguments, @Kind String kind) {
        Frame frame = CALLS.open(model, CallKind.in(kind), arguments.length == 0 ? null : arguments[0]);
        RuntimeException refusal = frame.refusal();
        return refusal == null ? frame : refusal;
    }

    /** Returns what to throw, or null to leave the outcome as it is. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    @Advice.AssignReturned.ToThrown
    public static @Nullable Throwable exit(
            @Advice.Enter @Nullable Object entered,
            @Advice.Return(typing = Assigner.Typing.DYNAMIC) @Nullable Object answer,
            @Advice.Thrown @Nullable Throwable thrown) {
        if (entered instanceof Frame frame) {
            CALLS.close(frame, answer, thrown);
            return null;
        }
        return entered instanceof Throwable refusal ? refusal : null;
    }
}
