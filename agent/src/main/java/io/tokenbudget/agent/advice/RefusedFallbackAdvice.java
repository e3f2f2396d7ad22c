package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.core.metering.CallMeter;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** Around methods that find something else to do after a failure, their second argument: a refusal is final. */
public final class RefusedFallbackAdvice {
    private static final CallMeter METER = BridgeLoader.meterFor(RefusedFallbackAdvice.class);

    private RefusedFallbackAdvice() {}

    /** Returns the refusal: then nothing else is found. */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class, skipOn = Throwable.class)
    public static @Nullable Object enter(@Advice.Argument(1) @Nullable Exception failure) {
        return METER.refusalAmong(failure);
    }

    /** Returns what to throw, or null to leave the outcome as it is. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    @Advice.AssignReturned.ToThrown
    public static @Nullable Throwable exit(@Advice.Enter @Nullable Object entered) {
        return entered instanceof Throwable refusal ? refusal : null;
    }
}
