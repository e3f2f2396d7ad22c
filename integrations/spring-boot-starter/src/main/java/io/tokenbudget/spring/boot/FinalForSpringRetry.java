package io.tokenbudget.spring.boot;

import io.tokenbudget.core.metering.CallMeter;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.retry.RetryCallback;
import org.springframework.retry.RetryContext;
import org.springframework.retry.RetryListener;
import org.springframework.retry.annotation.Retryable;
import org.springframework.retry.interceptor.MethodInvocationRetryCallback;

/**
 * A refusal is the last attempt of {@code @Retryable} of Spring Retry, unless that names refusals to be tried again. Not of one
 * with a state, which outlives the call and would never be tried again. Thread-safe.
 */
final class FinalForSpringRetry implements RetryListener {
    private final Supplier<CallMeter> meter;

    FinalForSpringRetry(Supplier<CallMeter> meter) {
        this.meter = meter;
    }

    @Override
    public <T, E extends Throwable> void onError(RetryContext context, RetryCallback<T, E> callback, Throwable thrown) {
        if (meter.get().refusalAmong(thrown) != null
                && !context.hasAttribute(RetryContext.STATE_KEY)
                && !isAskedFor(callback)) {
            context.setExhaustedOnly();
        }
    }

    private static boolean isAskedFor(RetryCallback<?, ?> callback) {
        if (!(callback instanceof MethodInvocationRetryCallback<?, ?> method)) {
            return false;
        }
        MethodInvocation invocation = method.getInvocation();
        Object target = invocation.getThis();
        Class<?> type = target == null ? invocation.getMethod().getDeclaringClass() : target.getClass();
        return AskedRetries.areAsked(
                BudgetedAdvisor.specific(invocation.getMethod(), type), type, Retryable.class.getName(), "retryFor");
    }
}
