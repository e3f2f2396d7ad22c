package io.tokenbudget.micronaut;

import io.micronaut.core.propagation.ThreadPropagatedContextElement;
import io.tokenbudget.BudgetContext;
import io.tokenbudget.TokenBudgets;
import org.jspecify.annotations.Nullable;

/**
 * Who sent the request that a thread works for: open on each thread that Micronaut takes the request's context to. Immutable.
 */
record RequestCaller(BudgetContext context) implements ThreadPropagatedContextElement<TokenBudgets.Scope> {

    @Override
    public TokenBudgets.Scope updateThreadContext() {
        return TokenBudgets.open(context);
    }

    @Override
    public void restoreThreadContext(TokenBudgets.@Nullable Scope opened) {
        if (opened != null) {
            opened.close();
        }
    }
}
