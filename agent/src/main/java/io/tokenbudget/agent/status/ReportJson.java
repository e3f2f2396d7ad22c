package io.tokenbudget.agent.status;

import com.fasterxml.jackson.jr.ob.JSON;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.core.BudgetReport;
import io.tokenbudget.core.BudgetReport.ModelEstimate;
import io.tokenbudget.core.spi.LedgerCounts;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A report as the JSON that every way in answers. */
final class ReportJson {
    private static final JSON WRITER = JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES);

    private ReportJson() {}

    static byte[] write(BudgetReport report) throws IOException {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("generatedAt", time(report.generatedAt()));
        json.put("mode", report.mode());
        json.put("budgets", report.budgets().stream().map(ReportJson::budget).toList());
        json.put("reservations", reservations(report.reservations()));
        json.put("calls", calls(report.calls()));
        json.put("estimates", estimates(report.estimates()));
        return WRITER.asBytes(json);
    }

    private static Map<String, @Nullable Object> budget(BudgetStatus status) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("scope", status.scope());
        json.put("unit", status.unit());
        json.put("window", status.window());
        json.put("limit", status.unlimited() ? null : status.limit());
        json.put("used", status.used());
        json.put("held", status.held());
        json.put("remaining", status.unlimited() ? null : status.remaining());
        json.put("resetsAt", time(status.resetsAt()));
        json.put("unlimited", status.unlimited());
        return json;
    }

    private static Map<String, Object> reservations(LedgerCounts counts) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("held", counts.held());
        json.put("settled", counts.settled());
        json.put("refunded", counts.refunded());
        json.put("expired", counts.expired());
        json.put("refused", counts.refused());
        return json;
    }

    private static Map<String, Object> calls(BudgetReport.Calls calls) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("metered", calls.metered());
        json.put("unmetered", calls.unmetered());
        json.put("usageMissing", calls.usageMissing());
        return json;
    }

    private static List<Map<String, Object>> estimates(List<ModelEstimate> estimates) {
        return estimates.stream().map(ReportJson::estimate).toList();
    }

    private static Map<String, Object> estimate(ModelEstimate estimate) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("model", estimate.model());
        json.put("calls", estimate.calls());
        json.put("ratio", estimate.ratio());
        json.put("error", estimate.error());
        return json;
    }

    private static @Nullable String time(@Nullable Instant instant) {
        return instant == null ? null : instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
