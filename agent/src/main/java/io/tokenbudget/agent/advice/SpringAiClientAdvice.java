package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Run;
import io.tokenbudget.springai.ClientCalls;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;

/** Around {@code nextCall} of the advisor chains of Spring AI's clients: the outermost is the run that all calls inside belong to. */
public final class SpringAiClientAdvice {
    private static final CallMeter METER = BridgeLoader.meterFor(SpringAiClientAdvice.class);

    private SpringAiClientAdvice() {}

    /** Returns the run that begins, or null inside of one of which the request says nothing more. */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class)
    public static @Nullable Object enter(
            @Advice.Argument(value = 0, typing = Assigner.Typing.DYNAMIC) @Nullable Object request) {
        return METER.openRun(ClientCalls.of(request));
    }

    /** Ends what began. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    public static void exit(@Advice.Enter @Nullable Object entered) {
        METER.closeRun((Run) entered);
    }
}
