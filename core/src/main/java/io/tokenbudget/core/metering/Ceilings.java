package io.tokenbudget.core.metering;

import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.Scope;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What application code has said of a run and of the runs around it: budgets that it falls under and that the configuration
 * does not name, and what is held for it up front. One object for each run that says something, so that its budgets may leave
 * memory when it has. Immutable.
 */
final class Ceilings {
    static final Ceilings NONE = new Ceilings(List.of(), null, null);

    private final List<BudgetRef> budgets;
    private final @Nullable String upFront;

    /** Kept for as long as this is: the budgets are its. */
    @SuppressWarnings({"unused", "FieldCanBeLocal"}) // held, not read
    private final @Nullable Ceilings without;

    private Ceilings(List<BudgetRef> budgets, @Nullable String upFront, @Nullable Ceilings without) {
        this.budgets = budgets;
        this.upFront = upFront;
        this.without = without;
    }

    /** These where {@code reservation} is held up front. */
    Ceilings holding(String reservation) {
        return new Ceilings(budgets, reservation, this);
    }

    /** The id of what is held up front, innermost; null for nothing. */
    @Nullable
    String upFront() {
        return upFront;
    }

    /** These and {@code more}. */
    Ceilings and(List<BudgetRef> more) {
        List<BudgetRef> all = new ArrayList<>(budgets);
        all.addAll(more);
        return new Ceilings(List.copyOf(all), upFront, null);
    }

    boolean has(Scope scope) {
        return budgets.stream().anyMatch(budget -> budget.scope().equals(scope));
    }

    List<BudgetRef> budgets() {
        return budgets;
    }
}
