package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.core.metering.CallMeter;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;

/**
 * Around methods that ask the application how to go on after a failure, their second argument: a refused call is not
 * retried. What the application answers in its place counts.
 */
public final class RefusedRetryAdvice {
    private static final CallMeter METER = BridgeLoader.meterFor(RefusedRetryAdvice.class);

    private RefusedRetryAdvice() {}

    /** Nothing to do before. */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class)
    public static @Nullable Object enter() {
        return null;
    }

    /** Returns what to throw, or null to leave the outcome as it is. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    @Advice.AssignReturned.ToThrown
    public static @Nullable Throwable exit(
            @Advice.Enter @Nullable Object entered,
            @Advice.Return(typing = Assigner.Typing.DYNAMIC) @Nullable Object answer,
            @Advice.Argument(1) @Nullable RuntimeException failure)
            throws ReflectiveOperationException {
        if (answer == null || METER.refusalAmong(failure) == null) {
            return null;
        }
        Object type = answer.getClass().getMethod("type").invoke(answer);
        return String.valueOf(type).equals("RETRY") ? failure : null;
    }
}
