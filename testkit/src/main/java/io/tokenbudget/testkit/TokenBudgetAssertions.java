package io.tokenbudget.testkit;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.TokenLimiter;
import java.util.List;
import org.assertj.core.api.Assertions;

/** Entry point of the assertions on budgets: {@code assertThat(budget).hasUsed(70).hasHeld(0)}. */
public final class TokenBudgetAssertions {
    private TokenBudgetAssertions() {}

    /** Assertions on one limit of one budget. */
    public static BudgetAssert assertThat(BudgetStatus budget) {
        return new BudgetAssert(budget);
    }

    /**
     * Assertions on the limit on tokens of one of {@code limiter}'s budgets.
     *
     * @param scope such as {@code agent:planner}; fails unless it is live and has exactly one limit on tokens
     */
    public static BudgetAssert assertThat(TokenLimiter limiter, String scope) {
        List<BudgetStatus> budgets = limiter.status().stream()
                .filter(status -> status.scope().equals(scope) && status.unit().equals("tokens"))
                .toList();
        Assertions.assertThat(budgets).as("limits on tokens of " + scope).hasSize(1);
        return new BudgetAssert(budgets.get(0));
    }
}
