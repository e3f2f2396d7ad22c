package io.tokenbudget.core;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.config.Plans;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The budget of one scope, by caller: the rows that may apply, the narrowest first, and what each says on each plan. What is used
 * counts for all of them. Thread-safe: budgets that were made are in an array that is copied when one is added.
 */
final class CallerBudgets {
    private final Scope scope;
    private final List<CallerRow> rows;
    private final Plans plans;
    private final List<Limit> kept;

    /** What everybody has; null if it depends on who calls. */
    private final @Nullable BudgetRef alike;

    /** One for each limits that have occurred: a handful. */
    private volatile BudgetRef[] made = {};

    /** @param rows at least one; at most the last is for all */
    CallerBudgets(Scope scope, List<CallerRow> rows, Plans plans) {
        this.scope = scope;
        this.rows = rows;
        this.plans = plans;
        CallerRow last = rows.get(rows.size() - 1);
        boolean depends = rows.size() > 1 || !last.isForAll() || last.dependsOnPlan();
        this.kept = rows.size() == 1 ? last.row().limits() : union(rows);
        this.alike = depends ? null : new BudgetRef(scope, last.row().limits(), kept);
    }

    /** Those of the widest row first: it is what most callers have. */
    private static List<Limit> union(List<CallerRow> rows) {
        List<Limit> all = new ArrayList<>();
        for (int i = rows.size() - 1; i >= 0; i--) {
            for (Limit limit : rows.get(i).row().limits()) {
                boolean counted = all.stream()
                        .anyMatch(other ->
                                other.unit() == limit.unit() && other.window().equals(limit.window()));
                if (!counted) {
                    all.add(limit);
                }
            }
        }
        return List.copyOf(all);
    }

    /** The budget of {@code caller}; null if no row is for them. */
    @Nullable
    BudgetRef of(BudgetContext caller) {
        if (alike != null) {
            return alike;
        }
        String plan = plans.of(caller.plan());
        CallerRow row = row(caller, plan);
        return row == null ? null : budget(row.limits(plan));
    }

    /** The same with the row that says it. */
    @Nullable
    AppliedRow applied(BudgetContext caller) {
        CallerRow row = row(caller, plans.of(caller.plan()));
        BudgetRef budget = of(caller);
        return row == null || budget == null ? null : new AppliedRow(budget, row.row());
    }

    /** As those have it of whom nothing else is known, or who called last. */
    BudgetRef ofAnybody() {
        return alike == null ? budget(kept) : alike;
    }

    private @Nullable CallerRow row(BudgetContext caller, @Nullable String plan) {
        for (int i = 0; i < rows.size(); i++) {
            if (rows.get(i).isFor(caller, plan)) {
                return rows.get(i);
            }
        }
        return null;
    }

    private BudgetRef budget(List<Limit> limits) {
        BudgetRef known = known(limits);
        return known == null ? make(limits) : known;
    }

    private @Nullable BudgetRef known(List<Limit> limits) {
        for (BudgetRef budget : made) {
            if (budget.limits() == limits) {
                return budget;
            }
        }
        return null;
    }

    private synchronized BudgetRef make(List<Limit> limits) {
        BudgetRef known = known(limits);
        if (known != null) {
            return known;
        }
        BudgetRef budget = new BudgetRef(scope, limits, kept);
        BudgetRef[] more = Arrays.copyOf(made, made.length + 1);
        more[made.length] = budget;
        made = more;
        return budget;
    }
}
