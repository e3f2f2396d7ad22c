package io.tokenbudget.core;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.core.spi.LedgerCounts;
import java.time.Instant;
import java.util.List;

/**
 * What {@code GET /budgets} answers, the same on every way in.
 *
 * @param generatedAt when, on the limiter's clock
 * @param mode {@code enforce} or {@code observe}
 * @param budgets every scope with something used or held and every scope the configuration names
 * @param reservations how the reservations stand
 * @param calls how many calls were seen
 * @param estimates how good the estimates were, a model at a time
 */
public record BudgetReport(
        Instant generatedAt,
        String mode,
        List<BudgetStatus> budgets,
        LedgerCounts reservations,
        Calls calls,
        List<ModelEstimate> estimates) {

    /**
     * @param metered provider rounds that had a reservation
     * @param unmetered model calls that passed without one
     * @param usageMissing metered rounds for which the provider reported no usage
     */
    public record Calls(long metered, long unmetered, long usageMissing) {}

    /**
     * @param model the model's name
     * @param calls rounds with an estimate and reported usage
     * @param ratio input tokens reported to input tokens estimated, before any correction; below one where the estimate is
     *     too high
     * @param error by how much what was held for input was off, over all calls, as a part of what was reported: 0.03 is 3 %
     */
    public record ModelEstimate(String model, long calls, double ratio, double error) {}
}
