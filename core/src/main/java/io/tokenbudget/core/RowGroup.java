package io.tokenbudget.core;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.config.BudgetRow;
import io.tokenbudget.core.config.Glob;
import io.tokenbudget.core.config.Plans;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.Scope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All rows for the same dimensions, of which one call falls under at most one: the row that names more values wins,
 * then the one whose globs say more, then the one that is for fewer callers, then the one that stands first. Immutable.
 */
final class RowGroup {
    private static final int MOST_RECENT = 32_768;
    private static final String GLOBAL = "global";

    private final List<String> dimensions;
    private final String dimension;
    private final Plans plans;

    /** The rows that name every value, and the others; the most specific first. */
    private final Map<Scope, List<CallerRow>> named = new HashMap<>();

    private final List<Pattern> patterns = new ArrayList<>();

    /** In the order of the configuration. */
    private final List<Scope> namedScopes = new ArrayList<>();

    private final @Nullable CallerBudgets global;

    /** What scopes that were seen lately have, by their value; emptied when there are too many, and made again one by one. */
    private final Map<String, CallerBudgets> recent = new ConcurrentHashMap<>();

    /** @param rows at least one */
    RowGroup(List<BudgetRow> rows, Plans plans) {
        this.plans = plans;
        // The model last, because slashes belong to its value when the scope is written.
        dimensions = rows.get(0).dimensions().stream()
                .sorted(Comparator.comparing("model"::equals))
                .toList();
        dimension = String.join("/", dimensions);
        for (BudgetRow row : rows) {
            add(inOrder(row), new CallerRow(row, dimensions, plans));
        }
        named.values().forEach(ofScope -> ofScope.sort(CallerRow.NARROWEST_FIRST));
        patterns.sort(Comparator.comparingInt(Pattern::namedValues)
                .thenComparingInt(Pattern::literalLength)
                .reversed()
                .thenComparing(Pattern::row, CallerRow.NARROWEST_FIRST));
        global = dimension.equals(GLOBAL) ? budgets(Scope.GLOBAL, List.of()) : null;
    }

    private List<@Nullable String> inOrder(BudgetRow row) {
        List<@Nullable String> values = new ArrayList<>();
        for (String each : dimensions) {
            values.add(row.values().get(row.dimensions().indexOf(each)));
        }
        return values;
    }

    private void add(List<@Nullable String> values, CallerRow row) {
        Pattern pattern = new Pattern(values, row);
        if (pattern.namedValues() < dimensions.size() || dimension.equals(GLOBAL)) {
            patterns.add(pattern);
            return;
        }
        Scope scope = scope(values.stream().map(String::valueOf).toList());
        if (!named.containsKey(scope)) {
            namedScopes.add(scope);
        }
        named.computeIfAbsent(scope, first -> new ArrayList<>()).add(row);
    }

    List<String> dimensions() {
        return dimensions;
    }

    boolean covers(Set<String> names) {
        return names.size() == dimensions.size() && names.containsAll(dimensions);
    }

    /** The budget of one call, or null if it lacks a value or no row fits. */
    @Nullable
    BudgetRef select(BudgetContext context, @Nullable String model) {
        CallerBudgets budgets = budgets(name -> valueOf(name, context, model));
        return budgets == null ? null : budgets.of(context);
    }

    /** The row that applies to one call, and its budget; null if there is none. */
    @Nullable
    AppliedRow applied(BudgetContext context, @Nullable String model) {
        CallerBudgets budgets = budgets(name -> valueOf(name, context, model));
        return budgets == null ? null : budgets.applied(context);
    }

    private static @Nullable String valueOf(String dimension, BudgetContext context, @Nullable String model) {
        return dimension.equals("model") ? model : context.dimension(dimension);
    }

    /** The budget of one scope, as those have it of whom nothing else is known; null if there is none or no row fits. */
    @Nullable
    BudgetRef select(Function<String, @Nullable String> valueOf) {
        CallerBudgets budgets = budgets(valueOf);
        return budgets == null ? null : budgets.ofAnybody();
    }

    /** The same as {@code caller} has it. */
    @Nullable
    BudgetRef select(Function<String, @Nullable String> valueOf, BudgetContext caller) {
        CallerBudgets budgets = budgets(valueOf);
        return budgets == null ? null : budgets.of(caller);
    }

    private @Nullable CallerBudgets budgets(Function<String, @Nullable String> valueOf) {
        if (global != null) {
            return global;
        }
        if (dimensions.size() == 1) {
            String value = valueOf.apply(dimension);
            return value == null ? null : recent(value, List.of(value));
        }
        List<String> values = new ArrayList<>(dimensions.size());
        for (String name : dimensions) {
            String value = valueOf.apply(name);
            if (value == null) {
                return null;
            }
            values.add(value);
        }
        return recent(Scope.join(dimensions, values), values);
    }

    private @Nullable CallerBudgets recent(String value, List<String> values) {
        CallerBudgets seen = recent.get(value);
        if (seen != null) {
            return seen;
        }
        CallerBudgets made = budgets(new Scope(dimension, value), values);
        if (made != null) {
            if (recent.size() >= MOST_RECENT) {
                recent.clear();
            }
            recent.put(value, made);
        }
        return made;
    }

    private Scope scope(List<String> values) {
        return new Scope(dimension, values.size() == 1 ? values.get(0) : Scope.join(dimensions, values));
    }

    private @Nullable CallerBudgets budgets(Scope scope, List<String> values) {
        List<CallerRow> fitting = new ArrayList<>(named.getOrDefault(scope, List.of()));
        for (int i = 0; i < patterns.size() && !endsWithOneForAll(fitting); i++) {
            Pattern pattern = patterns.get(i);
            if (pattern.fits(values)) {
                fitting.add(pattern.row());
            }
        }
        return fitting.isEmpty() ? null : new CallerBudgets(scope, fitting, plans);
    }

    private static boolean endsWithOneForAll(List<CallerRow> rows) {
        return !rows.isEmpty() && rows.get(rows.size() - 1).isForAll();
    }

    void addNamed(List<BudgetRef> into) {
        if (global != null) {
            into.add(global.ofAnybody());
        }
        for (Scope scope : namedScopes) {
            into.add(new CallerBudgets(scope, named.getOrDefault(scope, List.of()), plans).ofAnybody());
        }
    }

    /** A row with its values in the order of the group. */
    private record Pattern(List<@Nullable String> values, CallerRow row) {

        int namedValues() {
            return (int) values.stream()
                    .filter(value -> value != null && !Glob.isGlob(value))
                    .count();
        }

        /** How much the globs say: the characters that are not stars; a glob of stars alone still says more than none. */
        int literalLength() {
            return values.stream()
                    .filter(Objects::nonNull)
                    .filter(Glob::isGlob)
                    .mapToInt(glob -> 1 + 2 * glob.replace("*", "").length())
                    .sum();
        }

        boolean fits(List<String> actual) {
            for (int i = 0; i < actual.size(); i++) {
                String pattern = values.get(i);
                if (pattern != null && !Glob.matches(pattern, actual.get(i))) {
                    return false;
                }
            }
            return true;
        }
    }
}
