package io.tokenbudget.agent.cli;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.agent.Configuration;
import io.tokenbudget.core.AppliedRow;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.config.BudgetRow;
import io.tokenbudget.core.config.EffectiveValue;
import io.tokenbudget.core.spi.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The limits that one call falls under, as a table for a person, with the row that each comes from.
 *
 * <pre>
 * scope          limit               from
 * tenant:acme    8M tokens per 1h    budgets.yaml:14: tenant when plan=pro
 * agent:planner  3 concurrent        budgets.yaml:9: agent:planner
 * </pre>
 */
final class CallersLimits {
    private CallersLimits() {}

    /**
     * The lines, without line breaks.
     *
     * @param caller dimensions with their values, beside them {@code plan} and {@code model}
     */
    static List<String> lines(Configuration configuration, Map<String, String> caller) {
        List<String[]> cells = new ArrayList<>();
        cells.add(new String[] {"scope", "limit", "from"});
        for (AppliedRow applied : applied(configuration, caller)) {
            String scope = applied.budget().scope().toString();
            for (Limit limit : applied.budget().limits()) {
                cells.add(new String[] {scope, limit.text(), origin(applied.row(), configuration)});
                scope = "";
            }
        }
        if (cells.size() == 1) {
            return List.of("no budget applies to this call");
        }
        int scopes = width(cells.stream().map(line -> line[0]));
        int limits = width(cells.stream().map(line -> line[1]));
        return cells.stream()
                .map(line -> padded(line[0], scopes) + padded(line[1], limits) + line[2])
                .toList();
    }

    private static List<AppliedRow> applied(Configuration configuration, Map<String, String> caller) {
        BudgetContext.Builder context = BudgetContext.builder();
        @Nullable String model = null;
        for (Map.Entry<String, String> said : caller.entrySet()) {
            switch (said.getKey()) {
                case "model" -> model = said.getValue();
                case "plan" -> context.plan(said.getValue());
                case "run" -> context.runId(said.getValue());
                default -> context.dimension(said.getKey(), said.getValue());
            }
        }
        return TokenLimiters.builder()
                .settings(configuration.settings())
                .build()
                .applied(context.build(), model);
    }

    private static String origin(BudgetRow row, Configuration configuration) {
        String key = "budgets[" + configuration.settings().budgets().indexOf(row) + "]";
        String source = configuration.values().stream()
                .filter(value -> value.key().equals(key))
                .map(EffectiveValue::source)
                .findFirst()
                .orElse(key);
        return source + ": " + row.title();
    }

    private static int width(Stream<String> cells) {
        return cells.mapToInt(String::length).max().orElse(0) + 2;
    }

    private static String padded(String cell, int width) {
        return cell + " ".repeat(width - cell.length());
    }
}
