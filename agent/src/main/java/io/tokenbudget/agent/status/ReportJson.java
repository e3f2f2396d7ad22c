package io.tokenbudget.agent.status;

import com.fasterxml.jackson.jr.ob.JSON;
import io.tokenbudget.core.BudgetReport;
import io.tokenbudget.core.http.ReportDocument;
import java.io.IOException;

/** A report as the JSON that every way in answers. */
final class ReportJson {
    private static final JSON WRITER = JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES);

    private ReportJson() {}

    static byte[] write(BudgetReport report) throws IOException {
        return WRITER.asBytes(ReportDocument.of(report));
    }
}
