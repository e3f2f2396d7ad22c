package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.agent.BudgetedMethods;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Run;
import io.tokenbudget.langchain4j.ServiceCalls;
import io.tokenbudget.langchain4j.TokenStreams;
import java.lang.reflect.Method;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;

/**
 * Around what implements an application's interface, an AI service or an agent: the outermost call is the run that all calls
 * inside belong to, with the terms of its {@code @TokenBudget} if it has one.
 */
public final class ServiceAdvice {
    private static final CallMeter METER = BridgeLoader.meterFor(ServiceAdvice.class);
    private static final BudgetedMethods METHODS = BudgetedMethods.of(ServiceAdvice.class);

    private ServiceAdvice() {}

    /** Returns the call or the run that begins, what to throw instead of it, or null inside of a run. */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class, skipOn = Throwable.class)
    public static @Nullable Object enter(
            @Advice.Argument(0) Object service,
            @Advice.Argument(1) Method method,
            @Advice.Argument(2) @Nullable Object @Nullable [] arguments) {
        return METHODS.enterService(service, method, arguments, ServiceCalls.of(method, arguments));
    }

    /** Returns what the method returns and throws instead of what it did, or null to leave the outcome as it is. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    @Advice.AssignReturned.ToReturned(index = 0, typing = Assigner.Typing.DYNAMIC)
    @Advice.AssignReturned.ToThrown(index = 1, typing = Assigner.Typing.DYNAMIC)
    public static @Nullable Object @Nullable [] exit(
            @Advice.Enter @Nullable Object entered,
            @Advice.Return(typing = Assigner.Typing.DYNAMIC) @Nullable Object returned,
            @Advice.Thrown @Nullable Throwable thrown,
            @Advice.Argument(1) Method method) {
        if (entered instanceof Run run) {
            METER.closeRun(run);
            Object result = METER.asksCalls() ? TokenStreams.inRun(returned, method, METER, run) : returned;
            return result == returned ? null : new @Nullable Object[] {result, null};
        }
        return METHODS.exit(entered, returned, thrown);
    }
}
