package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.agent.Kind;
import io.tokenbudget.agent.Unmetered;
import io.tokenbudget.core.metering.CallMeter;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** Around the calls of a framework version that calls its models in a way we do not know; that has been said already. */
public final class ElsewhereAdvice {
    private static final CallMeter METER = BridgeLoader.meterFor(ElsewhereAdvice.class);

    private ElsewhereAdvice() {}

    /** Returns something if this is the outermost call of its kind. */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class)
    public static @Nullable Object enter(@Kind String kind) {
        return Unmetered.enterSilently(METER, kind);
    }

    /** Never has anything to throw. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    public static void exit(@Advice.Enter @Nullable Object entered) {
        Throwable unused = Unmetered.exit(entered);
    }
}
