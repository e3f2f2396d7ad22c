package io.tokenbudget.core.metering;

import io.tokenbudget.core.HoldTerms;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What application code has said of a run and of the runs around it: budgets that it falls under and that the configuration
 * does not name, and what is held for it up front. One object for each run that says something, so that its budgets may leave
 * memory when it has. Immutable but for what is watched, which is atomic.
 */
final class Ceilings {
    static final Ceilings NONE = new Ceilings(List.of(), null, null, null);

    private final List<BudgetRef> budgets;
    private final @Nullable String upFront;

    /** What these are made of, for as long as these are: its budgets are theirs. */
    private final @Nullable Ceilings outer;

    /** Whether a call has been metered under these; null where nobody wants to know. */
    private final @Nullable AtomicBoolean metered;

    private Ceilings(
            List<BudgetRef> budgets,
            @Nullable String upFront,
            @Nullable Ceilings outer,
            @Nullable AtomicBoolean metered) {
        this.budgets = budgets;
        this.upFront = upFront;
        this.outer = outer;
        this.metered = metered;
    }

    /** These, which know from now on whether a call is metered under them: {@link #isMetered}. */
    Ceilings watched() {
        return new Ceilings(budgets, upFront, this, new AtomicBoolean());
    }

    /** A call under these has been metered. */
    void metered() {
        for (Ceilings each = this; each != null; each = each.outer) {
            if (each.metered != null) {
                each.metered.set(true);
            }
        }
    }

    /** Whether a call has been metered since {@link #watched}, by the innermost that was watched. */
    boolean isMetered() {
        for (Ceilings each = this; each != null; each = each.outer) {
            if (each.metered != null) {
                return each.metered.get();
            }
        }
        return false;
    }

    /** These where {@code reservation} is held up front. */
    Ceilings holding(String reservation) {
        return new Ceilings(budgets, reservation, this, null);
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
        return new Ceilings(List.copyOf(all), upFront, this, null);
    }

    boolean has(Scope scope) {
        return budgets.stream().anyMatch(budget -> budget.scope().equals(scope));
    }

    List<BudgetRef> budgets() {
        return budgets;
    }

    /** What a hold under these is bound by. */
    HoldTerms terms() {
        return this == NONE ? HoldTerms.NONE : new HoldTerms(budgets, upFront);
    }
}
