package io.tokenbudget.core.config;

import io.tokenbudget.core.spi.Limit;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One row of {@code budgets}.
 *
 * @param dimensions one, or several for a joined scope; {@code global} alone
 * @param values for each dimension the value it is for, a glob such as {@code gpt-4o*}, or null for every value
 * @param limits unmodifiable; empty means unlimited and uncounted
 * @param text the scope as written: {@code model:gpt-4o*}
 * @param when whom it is for, by {@code user}, {@code project}, {@code workspace} and {@code plan}; empty for all
 */
public record BudgetRow(
        List<String> dimensions,
        List<@Nullable String> values,
        List<Limit> limits,
        String text,
        Map<String, String> when) {

    /** A row for all callers. */
    public BudgetRow(List<String> dimensions, List<@Nullable String> values, List<Limit> limits, String text) {
        this(dimensions, values, limits, text, Map.of());
    }

    /** Scope and condition: {@code tenant when plan=pro, user=ann}. */
    public String title() {
        return when.isEmpty()
                ? text
                : text + " when "
                        + when.entrySet().stream()
                                .map(each -> each.getKey() + '=' + each.getValue())
                                .sorted()
                                .collect(Collectors.joining(", "));
    }
}
