package io.tokenbudget.testkit.inprocess;

import io.tokenbudget.core.BudgetReport;
import io.tokenbudget.testkit.status.BudgetsSnapshot;

/** What {@code GET /budgets} would answer, without HTTP. */
public final class Snapshots {
    private Snapshots() {}

    /** The budgets of a process that reports them itself. */
    public static BudgetsSnapshot of(BudgetReport report) {
        return new BudgetsSnapshot(
                report.budgets().stream()
                        .map(budget -> new BudgetsSnapshot.Entry(
                                budget.scope(), budget.unit(), budget.limit(), budget.used(), budget.held()))
                        .toList(),
                new BudgetsSnapshot.Reservations(
                        report.reservations().held(),
                        report.reservations().settled(),
                        report.reservations().refunded(),
                        report.reservations().expired(),
                        report.reservations().refused()),
                new BudgetsSnapshot.Calls(
                        report.calls().metered(),
                        report.calls().unmetered(),
                        report.calls().usageMissing()));
    }
}
