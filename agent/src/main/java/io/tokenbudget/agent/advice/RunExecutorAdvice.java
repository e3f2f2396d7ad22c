package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.core.metering.CallMeter;
import java.util.concurrent.Executor;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;

/** Around methods that answer the executor on which a framework works for an application. */
public final class RunExecutorAdvice {
    private static final CallMeter METER = BridgeLoader.meterFor(RunExecutorAdvice.class);

    private RunExecutorAdvice() {}

    /** Nothing to do before. */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class)
    public static @Nullable Object enter() {
        return null;
    }

    /** Returns the executor that is answered instead. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    @Advice.AssignReturned.ToReturned(typing = Assigner.Typing.DYNAMIC)
    public static @Nullable Object exit(
            @Advice.Enter @Nullable Object entered,
            @Advice.Return(typing = Assigner.Typing.DYNAMIC) @Nullable Object made) {
        return made instanceof Executor executor ? METER.executor(executor) : made;
    }
}
