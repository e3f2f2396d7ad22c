package io.tokenbudget.reactor;

import io.micrometer.context.ThreadLocalAccessor;
import io.tokenbudget.BudgetContext;
import io.tokenbudget.TokenBudgets;
import org.jspecify.annotations.Nullable;

/**
 * Lets Micrometer's context propagation take the {@link BudgetContext} of a thread along, with its run and its request: into
 * the Reactor context under {@link BudgetContext#KEY} and back, and wherever a {@code ContextSnapshot} goes. Found by its
 * service file where that library is present. Thread-safe.
 */
public final class BudgetContextAccessor implements ThreadLocalAccessor<BudgetContext> {

    @Override
    public Object key() {
        return BudgetContext.KEY;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // what is read where nothing is open
    public @Nullable BudgetContext getValue() {
        BudgetContext current = TokenBudgets.current();
        return current == BudgetContext.EMPTY ? null : current;
    }

    @Override
    public void setValue(BudgetContext value) {
        TokenBudgets.carry(value);
    }

    @Override
    public void setValue() {
        TokenBudgets.carry(BudgetContext.EMPTY);
    }
}
