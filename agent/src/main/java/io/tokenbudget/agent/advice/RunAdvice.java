package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Run;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** Around what an application asks a framework for: the outermost is the run that all calls inside belong to. */
public final class RunAdvice {
    private static final CallMeter METER = BridgeLoader.meterFor(RunAdvice.class);

    private RunAdvice() {}

    /** Returns the run that begins, or null inside of one. */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class)
    public static @Nullable Object enter() {
        return METER.openRun();
    }

    /** Ends what began. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    public static void exit(@Advice.Enter @Nullable Object entered) {
        METER.closeRun((Run) entered);
    }
}
