package io.tokenbudget.spring.boot;

import io.tokenbudget.core.metering.CallMeter;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * Takes a refusal through {@code @Retryable} of Spring Framework 7 as a result, which is not tried again; {@link BudgetedCalls},
 * directly outside, throws it. Not where the application names refusals to be tried again, and not where the result is a
 * publisher or a stage, which it would have to be. Thread-safe.
 */
final class RefusalsAsResults implements MethodInterceptor {
    private static final String RETRYABLE = "org.springframework.resilience.annotation.Retryable";

    private final Supplier<CallMeter> meter;

    RefusalsAsResults(Supplier<CallMeter> meter) {
        this.meter = meter;
    }

    private record Refused(Throwable thrown) {}

    /** @throws Throwable what {@code result} stands for, if it is a refusal */
    static @Nullable Object result(@Nullable Object result) throws Throwable {
        if (result instanceof Refused refused) {
            throw refused.thrown();
        }
        return result;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        try {
            return invocation.proceed();
        } catch (Throwable thrown) {
            if (meter.get().refusalAmong(thrown) != null && mayBeResult(invocation)) {
                return new Refused(thrown);
            }
            throw thrown;
        }
    }

    private static boolean mayBeResult(MethodInvocation invocation) {
        Method method = invocation.getMethod();
        Object target = invocation.getThis();
        Class<?> type = target == null ? method.getDeclaringClass() : target.getClass();
        return ReactiveAdapterRegistry.getSharedInstance().getAdapter(method.getReturnType()) == null
                && !AskedRetries.areAsked(BudgetedAdvisor.specific(method, type), type, RETRYABLE, "includes");
    }
}
