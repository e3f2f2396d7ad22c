package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.agent.Kind;
import io.tokenbudget.agent.Unmetered;
import io.tokenbudget.core.metering.CallMeter;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** Around every call that passes without a reservation and is counted. */
public final class UnmeteredAdvice {
    private static final CallMeter METER = BridgeLoader.meterFor(UnmeteredAdvice.class);

    private UnmeteredAdvice() {}

    /** Returns something if this is the outermost call of its kind. */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class)
    public static @Nullable Object enter(@Kind String kind) {
        return Unmetered.enter(METER, kind);
    }

    /** Never has anything to throw. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    public static void exit(@Advice.Enter @Nullable Object entered) {
        Throwable unused = Unmetered.exit(entered);
    }
}
