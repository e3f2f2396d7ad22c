package io.tokenbudget.examples.demo;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Both sides of one application's account.
 *
 * @param name the application
 * @param budgets what {@code GET /budgets} says
 * @param billed what the provider's {@code GET /ledger} sums up, by unit
 */
record Account(String name, List<Budget> budgets, Map<String, Long> billed) {

    /** One limit of one scope. */
    record Budget(String scope, String limit, String unit, String window, long used, long held) {
        /** The part before the colon. */
        String dimension() {
            int colon = scope.indexOf(':');
            return colon < 0 ? scope : scope.substring(0, colon);
        }
    }

    static Account read(String name, String budgetsJson, String ledgerJson) throws IOException {
        List<Budget> budgets = new ArrayList<>();
        if (JSON.std.mapFrom(budgetsJson).get("budgets") instanceof List<?> rows) {
            for (Object row : rows) {
                budgets.add(budget((Map<?, ?>) row));
            }
        }
        if (budgets.isEmpty()) {
            throw new IOException(name + " has no budgets: " + budgetsJson);
        }
        return new Account(name, budgets, billed(ledgerJson));
    }

    private static Budget budget(Map<?, ?> row) throws IOException {
        String unit = String.valueOf(row.get("unit"));
        String window = String.valueOf(row.get("window"));
        boolean unlimited = Boolean.TRUE.equals(row.get("unlimited"));
        String limit = unlimited
                ? "unlimited"
                : String.format(Locale.ROOT, "%,d %s per %s", number(row, "limit"), unit, window);
        return new Budget(
                String.valueOf(row.get("scope")), limit, unit, window, number(row, "used"), number(row, "held"));
    }

    private static Map<String, Long> billed(String ledgerJson) throws IOException {
        if (JSON.std.mapFrom(ledgerJson).get("billed") instanceof Map<?, ?> sum) {
            return Map.of(
                    "tokens", number(sum, "totalTokens"),
                    "input tokens", number(sum, "inputTokens"),
                    "output tokens", number(sum, "outputTokens"),
                    "requests", number(sum, "calls"));
        }
        throw new IOException("no bill: " + ledgerJson);
    }

    private static long number(Map<?, ?> map, String key) throws IOException {
        if (map.get(key) instanceof Number number) {
            return number.longValue();
        }
        throw new IOException("no number \"" + key + "\" in " + map);
    }
}
