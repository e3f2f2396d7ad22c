package io.tokenbudget.core;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.config.BudgetRow;
import io.tokenbudget.core.config.Plans;
import io.tokenbudget.core.spi.Limit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A row, whom it is for, and its limits by plan. Immutable. */
final class CallerRow {
    /** Those for a user before those for a project, a workspace, a plan, and for all. */
    static final Comparator<CallerRow> NARROWEST_FIRST =
            Comparator.comparingInt(CallerRow::narrowness).reversed();

    private static final List<String> WIDEST_FIRST = List.of("plan", "workspace", "project", "user");

    private final BudgetRow row;
    private final @Nullable String plan;
    private final List<Map.Entry<String, String>> dimensions;
    private final Map<String, List<Limit>> byPlan = new HashMap<>();

    CallerRow(BudgetRow row, List<String> ofScope, Plans plans) {
        this.row = row;
        this.plan = row.when().get("plan");
        this.dimensions = row.when().entrySet().stream()
                .filter(condition -> !condition.getKey().equals("plan"))
                .toList();
        if (plan == null && Plans.multiply(ofScope)) {
            plans.multipliers().keySet().forEach(each -> byPlan.put(each, plans.times(row.limits(), each)));
        }
    }

    BudgetRow row() {
        return row;
    }

    private int narrowness() {
        return row.when().keySet().stream()
                .mapToInt(condition -> 1 << WIDEST_FIRST.indexOf(condition))
                .sum();
    }

    boolean isForAll() {
        return row.when().isEmpty();
    }

    /** @param ofCaller the caller's plan */
    boolean isFor(BudgetContext caller, @Nullable String ofCaller) {
        if (plan != null && !plan.equals(ofCaller)) {
            return false;
        }
        for (int i = 0; i < dimensions.size(); i++) {
            Map.Entry<String, String> condition = dimensions.get(i);
            if (!condition.getValue().equals(caller.dimension(condition.getKey()))) {
                return false;
            }
        }
        return true;
    }

    /** Whether somebody's plan makes a difference. */
    boolean dependsOnPlan() {
        return byPlan.values().stream().anyMatch(limits -> limits != row.limits());
    }

    /** The limits of somebody on {@code ofCaller}: always the same instance. */
    List<Limit> limits(@Nullable String ofCaller) {
        return ofCaller == null ? row.limits() : byPlan.getOrDefault(ofCaller, row.limits());
    }
}
