package io.tokenbudget.testkit.status;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * The budgets of a process at one moment. Immutable.
 *
 * @param budgets one entry for each limit of each live scope
 * @param reservations how the reservations stand
 * @param calls how many calls were seen
 */
public record BudgetsSnapshot(List<Entry> budgets, Reservations reservations, Calls calls) {

    /** Copies the list. */
    public BudgetsSnapshot {
        budgets = List.copyOf(budgets);
    }

    /**
     * One limit of one scope.
     *
     * @param scope such as {@code model:gpt-4o}
     * @param unit such as {@code tokens}; amounts of {@code usd} are nano-USD
     * @param limit the most that may be used and held
     * @param used booked in the present window
     * @param held by reservations under way
     */
    public record Entry(String scope, String unit, long limit, long used, long held) {}

    /** How many reservations are held now and have ended which way, or were refused, since the start. */
    public record Reservations(long held, long settled, long refunded, long expired, long refused) {}

    /** How many provider rounds had a reservation, how many had none, and how many were without usage. */
    public record Calls(long metered, long unmetered, long usageMissing) {}

    /** What is booked in {@code unit} on all scopes that begin with {@code scopePrefix}. */
    public long used(String scopePrefix, String unit) {
        return budgets.stream()
                .filter(entry ->
                        entry.scope().startsWith(scopePrefix) && entry.unit().equals(unit))
                .mapToLong(Entry::used)
                .sum();
    }

    /** What is held in {@code unit} on all scopes that begin with {@code scopePrefix}. */
    public long held(String scopePrefix, String unit) {
        return budgets.stream()
                .filter(entry ->
                        entry.scope().startsWith(scopePrefix) && entry.unit().equals(unit))
                .mapToLong(Entry::held)
                .sum();
    }

    /** What is held on all scopes in all units. */
    public long held() {
        return budgets.stream().mapToLong(Entry::held).sum();
    }

    /**
     * Reads the JSON object of {@code GET /budgets}.
     *
     * @throws IllegalArgumentException if something is missing in it
     */
    public static BudgetsSnapshot of(Map<String, Object> json) {
        Map<?, ?> reservations = object(json, "reservations");
        Map<?, ?> calls = object(json, "calls");
        if (!(json.get("budgets") instanceof List<?> budgets)) {
            throw new IllegalArgumentException("no list \"budgets\" in " + json);
        }
        return new BudgetsSnapshot(
                budgets.stream().map(BudgetsSnapshot::entry).toList(),
                new Reservations(
                        number(reservations, "held"),
                        number(reservations, "settled"),
                        number(reservations, "refunded"),
                        number(reservations, "expired"),
                        number(reservations, "refused")),
                new Calls(number(calls, "metered"), number(calls, "unmetered"), number(calls, "usageMissing")));
    }

    private static Entry entry(Object element) {
        if (!(element instanceof Map<?, ?> budget)) {
            throw new IllegalArgumentException("not an object: " + element);
        }
        return new Entry(
                String.valueOf(budget.get("scope")),
                String.valueOf(budget.get("unit")),
                amount(budget, "limit"),
                amount(budget, "used"),
                amount(budget, "held"));
    }

    /** Money comes as a decimal text of USD. */
    private static long amount(Map<?, ?> budget, String key) {
        return budget.get(key) instanceof String usd
                ? new BigDecimal(usd).movePointRight(9).longValueExact()
                : number(budget, key);
    }

    private static Map<?, ?> object(Map<?, ?> json, String key) {
        if (json.get(key) instanceof Map<?, ?> found) {
            return found;
        }
        throw new IllegalArgumentException("no object \"" + key + "\" in " + json);
    }

    private static long number(Map<?, ?> json, String key) {
        if (json.get(key) instanceof Number found) {
            return found.longValue();
        }
        throw new IllegalArgumentException("no number \"" + key + "\" in " + json);
    }
}
