package io.tokenbudget.core.http;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.core.BudgetReport;
import io.tokenbudget.core.BudgetReport.ModelEstimate;
import io.tokenbudget.core.spi.LedgerCounts;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.Money;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code GET /budgets} answers, on every way in, for the JSON library that is there: maps, lists, texts, numbers and truth
 * values. Null values are part of it. Stateless.
 */
public final class ReportDocument {
    private ReportDocument() {}

    /** The whole report. */
    public static Map<String, @Nullable Object> of(BudgetReport report) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("generatedAt", time(report.generatedAt()));
        document.put("mode", report.mode());
        document.put(
                "budgets", report.budgets().stream().map(ReportDocument::budget).toList());
        document.put("reservations", reservations(report.reservations()));
        document.put("calls", calls(report.calls()));
        document.put("estimates", estimates(report.estimates()));
        return document;
    }

    /** The budgets of one scope alone, as the whole report has them; null if there are none. */
    public static @Nullable Map<String, @Nullable Object> of(BudgetReport report, String scope) {
        List<Map<String, @Nullable Object>> budgets = report.budgets().stream()
                .filter(status -> status.scope().equals(scope))
                .map(ReportDocument::budget)
                .toList();
        if (budgets.isEmpty()) {
            return null;
        }
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("generatedAt", time(report.generatedAt()));
        document.put("mode", report.mode());
        document.put("budgets", budgets);
        return document;
    }

    /** {@code document} as one line of JSON, for those whose own library leaves out what is null. */
    public static String json(Map<String, ? extends @Nullable Object> document) {
        return JsonText.of(document);
    }

    private static Map<String, @Nullable Object> budget(BudgetStatus status) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("scope", status.scope());
        document.put("unit", status.unit());
        document.put("window", status.window());
        document.put("limit", status.unlimited() ? null : amount(status, status.limit()));
        document.put("used", amount(status, status.used()));
        document.put("held", amount(status, status.held()));
        document.put("remaining", status.unlimited() ? null : amount(status, status.remaining()));
        document.put("resetsAt", time(status.resetsAt()));
        document.put("unlimited", status.unlimited());
        return document;
    }

    /** Money as a decimal text of USD, everything else as a number. */
    private static Object amount(BudgetStatus status, long amount) {
        return status.unit().equals(LimitUnit.USD.toString()) ? Money.decimal(amount) : amount;
    }

    private static Map<String, Object> reservations(LedgerCounts counts) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("held", counts.held());
        document.put("settled", counts.settled());
        document.put("refunded", counts.refunded());
        document.put("expired", counts.expired());
        document.put("refused", counts.refused());
        return document;
    }

    private static Map<String, Object> calls(BudgetReport.Calls calls) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("metered", calls.metered());
        document.put("unmetered", calls.unmetered());
        document.put("usageMissing", calls.usageMissing());
        return document;
    }

    private static List<Map<String, Object>> estimates(List<ModelEstimate> estimates) {
        return estimates.stream().map(ReportDocument::estimate).toList();
    }

    private static Map<String, Object> estimate(ModelEstimate estimate) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("model", estimate.model());
        document.put("calls", estimate.calls());
        document.put("ratio", estimate.ratio());
        document.put("error", estimate.error());
        return document;
    }

    private static @Nullable String time(@Nullable Instant instant) {
        return instant == null ? null : instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
