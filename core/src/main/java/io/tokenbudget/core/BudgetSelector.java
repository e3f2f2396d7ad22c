package io.tokenbudget.core;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.config.BudgetRow;
import io.tokenbudget.core.config.Glob;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which budgets a call falls under: for every dimension, or combination of dimensions, that the configuration names, the
 * row that fits the call's values best.
 *
 * <p>A row that names a value wins over a glob, a glob over a bare dimension; among globs the longer one wins. Immutable.
 */
final class BudgetSelector {
    private final List<Group> groups;

    BudgetSelector(List<BudgetRow> rows) {
        Map<List<String>, List<BudgetRow>> byDimensions = new LinkedHashMap<>();
        for (BudgetRow row : rows) {
            byDimensions
                    .computeIfAbsent(row.dimensions(), dimensions -> new ArrayList<>())
                    .add(row);
        }
        List<Group> compiled = new ArrayList<>();
        byDimensions.forEach((dimensions, group) -> compiled.add(new Group(dimensions, group)));
        this.groups = List.copyOf(compiled);
    }

    /** The budgets of a call, in the order in which the configuration first names their dimensions. */
    List<BudgetRef> select(BudgetContext context, @Nullable String model) {
        List<BudgetRef> budgets = new ArrayList<>(groups.size());
        for (Group group : groups) {
            BudgetRef budget = group.select(context, model);
            if (budget != null) {
                budgets.add(budget);
            }
        }
        return budgets;
    }

    /** The budget of one scope as users write it, or null if no row applies. */
    @Nullable
    BudgetRef find(Map<String, String> values) {
        for (Group group : groups) {
            if (group.covers(values)) {
                return group.select(values::get);
            }
        }
        return null;
    }

    /** The scopes that rows name in full. */
    List<BudgetRef> named() {
        List<BudgetRef> named = new ArrayList<>();
        for (Group group : groups) {
            group.addNamed(named);
        }
        return named;
    }

    /** All rows of the same dimensions. */
    private static final class Group {
        private final String dimension;
        private final List<String> dimensions;
        private final Map<String, List<Limit>> named = new HashMap<>();
        private final List<BudgetRow> patterns = new ArrayList<>();
        private @Nullable List<Limit> bare;

        Group(List<String> dimensions, List<BudgetRow> rows) {
            this.dimensions = dimensions;
            this.dimension = String.join("/", dimensions);
            for (BudgetRow row : rows) {
                if (row.values().stream().allMatch(value -> value == null)) {
                    bare = row.limits();
                } else if (row.values().stream().allMatch(value -> value != null && !Glob.isGlob(value))) {
                    named.put(value(row.values()::get), row.limits());
                } else {
                    patterns.add(row);
                }
            }
            patterns.sort((a, b) -> Integer.compare(specificity(b), specificity(a)));
        }

        private static int specificity(BudgetRow row) {
            int score = 0;
            for (String value : row.values()) {
                if (value != null) {
                    score += Glob.isGlob(value) ? value.length() : 10_000;
                }
            }
            return score;
        }

        @Nullable
        BudgetRef select(BudgetContext context, @Nullable String model) {
            if (dimensions.size() == 1) {
                String only = dimensions.get(0);
                String value = only.equals("global") ? "" : valueOf(only, context, model);
                return value == null ? null : ref(value, List.of(value));
            }
            return select(name -> valueOf(name, context, model));
        }

        @Nullable
        BudgetRef select(Function<String, @Nullable String> valueOf) {
            if (dimension.equals("global")) {
                return ref("", List.of(""));
            }
            List<String> values = new ArrayList<>(dimensions.size());
            for (String name : dimensions) {
                String value = valueOf.apply(name);
                if (value == null) {
                    return null;
                }
                values.add(value);
            }
            return ref(value(values::get), values);
        }

        private static @Nullable String valueOf(String dimension, BudgetContext context, @Nullable String model) {
            return dimension.equals("model") ? model : context.dimension(dimension);
        }

        private @Nullable BudgetRef ref(String value, List<String> values) {
            List<Limit> limits = limits(value, values);
            return limits == null ? null : new BudgetRef(new Scope(dimension, value), limits);
        }

        private @Nullable List<Limit> limits(String value, List<String> values) {
            List<Limit> exact = named.isEmpty() ? null : named.get(value);
            if (exact != null) {
                return exact;
            }
            for (BudgetRow row : patterns) {
                if (matches(row, values)) {
                    return row.limits();
                }
            }
            return bare;
        }

        private static boolean matches(BudgetRow row, List<String> values) {
            for (int i = 0; i < values.size(); i++) {
                String pattern = row.values().get(i);
                if (pattern != null && !Glob.matches(pattern, values.get(i))) {
                    return false;
                }
            }
            return true;
        }

        boolean covers(Map<String, String> values) {
            return values.size() == dimensions.size() && values.keySet().containsAll(dimensions);
        }

        void addNamed(List<BudgetRef> into) {
            if (dimension.equals("global") && bare != null) {
                into.add(new BudgetRef(Scope.GLOBAL, bare));
            }
            named.forEach((value, limits) -> into.add(new BudgetRef(new Scope(dimension, value), limits)));
        }

        /** {@code acme/agent:planner}: the first value bare, the others with their dimension. */
        private String value(Function<Integer, @Nullable String> valueAt) {
            StringBuilder joined = new StringBuilder(String.valueOf(valueAt.apply(0)));
            for (int i = 1; i < dimensions.size(); i++) {
                joined.append('/').append(dimensions.get(i)).append(':').append(valueAt.apply(i));
            }
            return joined.toString();
        }
    }
}
