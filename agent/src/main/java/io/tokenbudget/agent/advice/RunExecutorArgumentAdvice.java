package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.core.metering.CallMeter;
import java.util.concurrent.Executor;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;

/** Around methods that are given the executor on which a framework works for an application. */
public final class RunExecutorArgumentAdvice {
    private static final CallMeter METER = BridgeLoader.meterFor(RunExecutorArgumentAdvice.class);

    private RunExecutorArgumentAdvice() {}

    /** Returns the executor that is given instead. */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class)
    @Advice.AssignReturned.ToArguments(
            @Advice.AssignReturned.ToArguments.ToArgument(value = 0, typing = Assigner.Typing.DYNAMIC))
    public static @Nullable Object enter(@Advice.Argument(0) @Nullable Object given) {
        return given instanceof Executor executor ? METER.executor(executor) : given;
    }

    /** Nothing to do after. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    public static void exit(@Advice.Enter @Nullable Object entered) {}
}
