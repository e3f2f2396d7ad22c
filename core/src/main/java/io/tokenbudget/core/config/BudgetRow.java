package io.tokenbudget.core.config;

import io.tokenbudget.core.spi.Limit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One row of {@code budgets}.
 *
 * @param dimensions one, or several for a joined scope; {@code global} alone
 * @param values for each dimension the value it is for, a glob such as {@code gpt-4o*}, or null for every value
 * @param limits unmodifiable; empty means unlimited and uncounted
 * @param text the scope as written: {@code model:gpt-4o*}
 */
public record BudgetRow(List<String> dimensions, List<@Nullable String> values, List<Limit> limits, String text) {}
