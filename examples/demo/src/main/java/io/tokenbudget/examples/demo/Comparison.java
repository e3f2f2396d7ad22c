package io.tokenbudget.examples.demo;

import io.tokenbudget.examples.demo.Account.Budget;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Budgets beside the provider's bill. Every call falls under exactly one budget of each dimension, so all budgets of a
 * dimension together must have used what the provider billed, and nothing may be held at rest.
 *
 * @param table for people
 * @param equal whether all of it is so
 */
record Comparison(String table, boolean equal) {
    private static final String ROW = "  %-18s %-18s %-26s %8s %6s %8s  %s%n";

    static Comparison of(List<Account> accounts) {
        StringBuilder table = new StringBuilder();
        table.append(String.format(Locale.ROOT, ROW, "application", "budget", "limit", "used", "held", "billed", ""));
        boolean equal = true;
        for (Account account : accounts) {
            for (List<Budget> group : groups(account).values()) {
                equal &= append(table, account, group);
            }
        }
        return new Comparison(table.toString(), equal);
    }

    /** By what counts the same calls in the same unit. */
    private static Map<String, List<Budget>> groups(Account account) {
        Map<String, List<Budget>> groups = new LinkedHashMap<>();
        for (Budget budget : account.budgets()) {
            if (account.billed().containsKey(budget.unit())) {
                String key = budget.dimension() + '|' + budget.unit() + '|' + budget.window();
                groups.computeIfAbsent(key, unused -> new ArrayList<>()).add(budget);
            }
        }
        return groups;
    }

    private static boolean append(StringBuilder table, Account account, List<Budget> group) {
        long used = group.stream().mapToLong(Budget::used).sum();
        long held = group.stream().mapToLong(Budget::held).sum();
        long billed = account.billed().getOrDefault(group.get(0).unit(), 0L);
        boolean equal = used == billed && held == 0;
        String verdict = equal ? "equal" : "DIFFERENT";
        if (group.size() == 1) {
            row(table, account, group.get(0), number(billed), verdict);
        } else {
            group.forEach(budget -> row(table, account, budget, "in all", ""));
            String all = "all " + group.get(0).dimension() + "s";
            table.append(String.format(
                    Locale.ROOT, ROW, account.name(), all, "", number(used), number(held), number(billed), verdict));
        }
        return equal;
    }

    private static void row(StringBuilder table, Account account, Budget budget, String billed, String verdict) {
        table.append(String.format(
                Locale.ROOT,
                ROW,
                account.name(),
                budget.scope(),
                budget.limit(),
                number(budget.used()),
                number(budget.held()),
                billed,
                verdict));
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
