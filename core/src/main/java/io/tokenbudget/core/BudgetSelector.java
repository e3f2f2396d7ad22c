package io.tokenbudget.core;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.config.BudgetRow;
import io.tokenbudget.core.config.Plans;
import io.tokenbudget.core.spi.BudgetRef;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which budgets a call falls under: for every dimension, or combination of dimensions, that the configuration names, the
 * row that fits the call's values best. Immutable.
 *
 * <p>{@code tenant/agent} and {@code agent/tenant} are one combination.
 */
final class BudgetSelector {
    private final List<RowGroup> groups;

    BudgetSelector(List<BudgetRow> rows, Plans plans) {
        Map<Set<String>, List<BudgetRow>> byDimensions = new LinkedHashMap<>();
        for (BudgetRow row : rows) {
            byDimensions
                    .computeIfAbsent(new TreeSet<>(row.dimensions()), dimensions -> new ArrayList<>())
                    .add(row);
        }
        this.groups = byDimensions.values().stream()
                .map(ofGroup -> new RowGroup(ofGroup, plans))
                .toList();
    }

    /** The budgets of a call, in the order in which the configuration first names their dimensions. */
    List<BudgetRef> select(BudgetContext context, @Nullable String model) {
        BudgetRef[] budgets = new BudgetRef[groups.size()];
        int size = 0;
        for (RowGroup group : groups) {
            BudgetRef budget = group.select(context, model);
            if (budget != null) {
                budgets[size++] = budget;
            }
        }
        return Arrays.asList(size == budgets.length ? budgets : Arrays.copyOf(budgets, size));
    }

    /** The same with the rows that say so. */
    List<AppliedRow> applied(BudgetContext context, @Nullable String model) {
        return groups.stream()
                .map(group -> group.applied(context, model))
                .filter(Objects::nonNull)
                .toList();
    }

    /** The budget of one scope, a value for each of its dimensions; null if no row applies. */
    @Nullable
    BudgetRef find(Map<String, @Nullable String> values) {
        for (RowGroup group : groups) {
            if (group.covers(values.keySet())) {
                return group.select(values::get);
            }
        }
        return null;
    }

    /** The same as {@code caller} has it. */
    @Nullable
    BudgetRef find(Map<String, @Nullable String> values, BudgetContext caller) {
        for (RowGroup group : groups) {
            if (group.covers(values.keySet())) {
                return group.select(values::get, caller);
            }
        }
        return null;
    }

    /** The budgets whose scopes are made of these dimensions alone, of which {@code context} has the values. */
    List<BudgetRef> selectOf(BudgetContext context, Collection<String> dimensions) {
        List<BudgetRef> budgets = new ArrayList<>();
        for (RowGroup group : groups) {
            BudgetRef budget = dimensions.containsAll(group.dimensions()) ? group.select(context, null) : null;
            if (budget != null) {
                budgets.add(budget);
            }
        }
        return budgets;
    }

    /** The scopes that rows name in full, in the order of the configuration within each combination of dimensions. */
    List<BudgetRef> named() {
        List<BudgetRef> named = new ArrayList<>();
        groups.forEach(group -> group.addNamed(named));
        return named;
    }

    /** Every dimension that a row names, beside {@code global}. */
    Set<String> dimensions() {
        Set<String> dimensions = new TreeSet<>();
        groups.forEach(group -> dimensions.addAll(group.dimensions()));
        dimensions.remove("global");
        return dimensions;
    }
}
