package io.tokenbudget.core;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.config.BudgetRow;
import io.tokenbudget.core.config.Glob;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.Scope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All rows for the same dimensions, of which one call falls under at most one: the row that names more values wins,
 * then the one whose globs say more, then the one that stands first. Immutable.
 */
final class RowGroup {
    private static final int MOST_RECENT = 32_768;

    private final List<String> dimensions;
    private final String dimension;
    private final Map<Scope, List<Limit>> named = new LinkedHashMap<>();
    private final List<Pattern> patterns = new ArrayList<>();
    private @Nullable List<Limit> bare;
    private final @Nullable BudgetRef global;

    /** Budgets of values seen lately; emptied when there are too many, and made again one by one. */
    private final Map<String, BudgetRef> recent = new ConcurrentHashMap<>();

    /** @param rows at least one */
    RowGroup(List<BudgetRow> rows) {
        // The model last, because slashes belong to its value when the scope is written.
        dimensions = rows.get(0).dimensions().stream()
                .sorted(Comparator.comparing("model"::equals))
                .toList();
        dimension = String.join("/", dimensions);
        for (BudgetRow row : rows) {
            add(new Pattern(inOrder(row), row.limits()));
        }
        patterns.sort(Comparator.comparingInt(Pattern::namedValues)
                .thenComparingInt(Pattern::literalLength)
                .reversed());
        global = bare != null && dimension.equals("global") ? new BudgetRef(Scope.GLOBAL, bare) : null;
    }

    private List<@Nullable String> inOrder(BudgetRow row) {
        List<@Nullable String> values = new ArrayList<>();
        for (String dimension : dimensions) {
            values.add(row.values().get(row.dimensions().indexOf(dimension)));
        }
        return values;
    }

    private void add(Pattern row) {
        if (row.values().stream().allMatch(Objects::isNull)) {
            bare = row.limits();
        } else if (row.namedValues() == dimensions.size()) {
            List<String> values = row.values().stream().map(String::valueOf).toList();
            named.put(scope(values), row.limits());
        } else {
            patterns.add(row);
        }
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
        if (dimensions.size() == 1 && global == null) {
            String value = valueOf(dimension, context, model);
            return value == null ? null : recent(value);
        }
        return select(name -> valueOf(name, context, model));
    }

    private static @Nullable String valueOf(String dimension, BudgetContext context, @Nullable String model) {
        return dimension.equals("model") ? model : context.dimension(dimension);
    }

    private @Nullable BudgetRef recent(String value) {
        BudgetRef seen = recent.get(value);
        if (seen != null) {
            return seen;
        }
        BudgetRef made = fitting(List.of(value));
        if (made != null) {
            if (recent.size() >= MOST_RECENT) {
                recent.clear();
            }
            recent.put(value, made);
        }
        return made;
    }

    /** The budget for one value of each dimension, or null if there is none or no row fits. */
    @Nullable
    BudgetRef select(Function<String, @Nullable String> valueOf) {
        if (global != null) {
            return global;
        }
        List<String> values = new ArrayList<>(dimensions.size());
        for (String name : dimensions) {
            String value = valueOf.apply(name);
            if (value == null) {
                return null;
            }
            values.add(value);
        }
        return fitting(values);
    }

    private @Nullable BudgetRef fitting(List<String> values) {
        Scope scope = scope(values);
        List<Limit> limits = limits(scope, values);
        return limits == null ? null : new BudgetRef(scope, limits);
    }

    private Scope scope(List<String> values) {
        return new Scope(dimension, values.size() == 1 ? values.get(0) : Scope.join(dimensions, values));
    }

    private @Nullable List<Limit> limits(Scope scope, List<String> values) {
        List<Limit> exact = named.isEmpty() ? null : named.get(scope);
        if (exact != null) {
            return exact;
        }
        for (Pattern row : patterns) {
            if (row.fits(values)) {
                return row.limits();
            }
        }
        return bare;
    }

    void addNamed(List<BudgetRef> into) {
        if (global != null) {
            into.add(global);
        }
        named.forEach((scope, limits) -> into.add(new BudgetRef(scope, limits)));
    }

    /** A row with its values in the order of the group. */
    private record Pattern(List<@Nullable String> values, List<Limit> limits) {

        int namedValues() {
            return (int) values.stream()
                    .filter(value -> value != null && !Glob.isGlob(value))
                    .count();
        }

        /** How much the globs say: the characters that are not stars; a glob of stars alone still says more than none. */
        int literalLength() {
            return values.stream()
                    .filter(value -> value != null && Glob.isGlob(value))
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
