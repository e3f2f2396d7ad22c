package io.tokenbudget.micronaut;

import io.micronaut.aop.InterceptorBean;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.aop.MethodInvocationContext;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.core.method.BudgetedMethod;
import io.tokenbudget.core.method.MethodRuns;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** Makes each call of a bean's method with {@link TokenBudget} a run, or a part of one. Thread-safe. */
@Singleton
@InterceptorBean(TokenBudget.class)
final class TokenBudgetInterceptor implements MethodInterceptor<Object, Object> {
    /** Outside of {@code @Retryable}, whose interceptor has -60: its attempts share one run. */
    static final int ORDER = -70;

    private final BudgetedMethods methods;
    private final MethodRuns runs;

    TokenBudgetInterceptor(BudgetedMethods methods, MethodRuns runs) {
        this.methods = methods;
        this.runs = runs;
    }

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public @Nullable Object intercept(MethodInvocationContext<Object, Object> context) {
        Object target = context.getTarget();
        BudgetedMethod method = methods.of(context.getExecutableMethod(), target.getClass());
        if (method == null) {
            return context.proceed();
        }
        try {
            return runs.call(method, target, context.getParameterValues(), context::proceed);
        } catch (Throwable thrown) {
            throw Sneaky.thrown(thrown);
        }
    }
}
