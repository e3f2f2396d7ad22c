package io.tokenbudget.core.metering;

import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.Scope;
import java.util.ArrayList;
import java.util.List;

/**
 * Budgets that a run falls under and that the configuration does not name: what application code has said of it and of the
 * runs around it. One object for each run that says something, so that its budgets may leave memory when it has. Immutable.
 */
final class Ceilings {
    static final Ceilings NONE = new Ceilings(List.of());

    private final List<BudgetRef> budgets;

    private Ceilings(List<BudgetRef> budgets) {
        this.budgets = budgets;
    }

    /** These and {@code more}. */
    Ceilings and(List<BudgetRef> more) {
        List<BudgetRef> all = new ArrayList<>(budgets);
        all.addAll(more);
        return new Ceilings(List.copyOf(all));
    }

    boolean has(Scope scope) {
        return budgets.stream().anyMatch(budget -> budget.scope().equals(scope));
    }

    List<BudgetRef> budgets() {
        return budgets;
    }
}
