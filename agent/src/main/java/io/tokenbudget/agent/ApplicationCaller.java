package io.tokenbudget.agent;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Mdc;
import org.jspecify.annotations.Nullable;

/** Translates the application's current {@code BudgetContext} into ours. Immutable. */
final class ApplicationCaller implements CallerSource {
    private final Mdc mdc;
    private final @Nullable ApplicationContexts contexts;

    private ApplicationCaller(@Nullable ApplicationContexts contexts, Mdc mdc) {
        this.contexts = contexts;
        this.mdc = mdc;
    }

    /**
     * @param budgets the application's {@code TokenBudgets}
     * @param mdc the application's
     * @throws ReflectiveOperationException if it is of a version that does not fit
     */
    static ApplicationCaller of(Class<?> budgets, Mdc mdc) throws ReflectiveOperationException {
        return new ApplicationCaller(ApplicationContexts.of(budgets), mdc);
    }

    /** For an application without {@code TokenBudgets}. */
    static ApplicationCaller withoutContext(Mdc mdc) {
        return new ApplicationCaller(null, mdc);
    }

    @Override
    public BudgetContext current() {
        return contexts == null ? BudgetContext.EMPTY : contexts.current();
    }

    @Override
    public @Nullable BudgetContext contextIn(@Nullable Object carried) {
        return contexts == null || carried == null ? null : contexts.read(carried);
    }

    @Override
    public Scope open(BudgetContext context) {
        return contexts == null ? Scope.NOTHING : contexts.open(context);
    }

    @Override
    public @Nullable String mdc(String key) {
        return mdc.get(key);
    }

    @Override
    public boolean dropsMdc() {
        return mdc.isDropped();
    }
}
