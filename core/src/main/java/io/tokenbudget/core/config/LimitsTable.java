package io.tokenbudget.core.config;

import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.Window;
import java.util.ArrayList;
import java.util.List;

/**
 * The effective limits as a table for a person: one line for each limit, under the scope it is for.
 *
 * <pre>
 * scope          limit
 * agent          100k tokens per 1h
 * agent:planner  500k tokens per 1h
 *                3 concurrent
 * </pre>
 */
public final class LimitsTable {
    private LimitsTable() {}

    /** The lines, without line breaks. */
    public static List<String> lines(Settings settings) {
        if (settings.budgets().isEmpty()) {
            return List.of("no budgets: every call is admitted");
        }
        int width = settings.budgets().stream()
                .mapToInt(row -> row.title().length())
                .reduce("scope".length(), Math::max);
        List<String> lines = new ArrayList<>();
        lines.add(line("scope", width, "limit"));
        for (BudgetRow row : settings.budgets()) {
            String scope = row.title();
            for (Limit limit : row.limits()) {
                lines.add(line(scope, width, describe(limit, row)));
                scope = "";
            }
        }
        return List.copyOf(lines);
    }

    private static String line(String scope, int width, String limit) {
        return scope + " ".repeat(width - scope.length() + 2) + limit;
    }

    private static String describe(Limit limit, BudgetRow row) {
        if (limit.window() instanceof Window.Calendar calendar) {
            return limit.text() + " (" + ZoneText.format(calendar.zone()) + ")";
        }
        if (limit.window() instanceof Window.Lifetime && limit.unit() != LimitUnit.CONCURRENT) {
            return limit.text() + (row.dimensions().contains("run") ? " (life of the run)" : " (life of the process)");
        }
        return limit.text();
    }
}
