package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.springai.ObservedCalls;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;

/** Around {@code build()} of what Spring AI's models observe a call with. */
public final class SpringAiObservationAdvice {
    private static final ObservedCalls CALLS =
            new ObservedCalls(BridgeLoader.meterFor(SpringAiObservationAdvice.class));

    private SpringAiObservationAdvice() {}

    /** Nothing to do before. */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class)
    public static @Nullable Object enter() {
        return null;
    }

    /** Changes nothing. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    public static void exit(
            @Advice.Enter @Nullable Object entered,
            @Advice.Return(typing = Assigner.Typing.DYNAMIC) @Nullable Object context) {
        if (context != null) {
            CALLS.observedIn(context);
        }
    }
}
