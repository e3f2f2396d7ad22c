package io.tokenbudget.testkit.matrix;

import io.tokenbudget.testkit.status.BudgetsSnapshot;

/** What a cell changed in our account. */
public record Booked(
        long input,
        long output,
        long total,
        long metered,
        long unmetered,
        long usageMissing,
        long settled,
        long refunded,
        long expired,
        long refused) {

    /** The difference between two snapshots, on scopes that begin with {@code scopePrefix}. */
    static Booked between(BudgetsSnapshot before, BudgetsSnapshot after, String scopePrefix) {
        return new Booked(
                after.used(scopePrefix, "input tokens") - before.used(scopePrefix, "input tokens"),
                after.used(scopePrefix, "output tokens") - before.used(scopePrefix, "output tokens"),
                after.used(scopePrefix, "tokens") - before.used(scopePrefix, "tokens"),
                after.calls().metered() - before.calls().metered(),
                after.calls().unmetered() - before.calls().unmetered(),
                after.calls().usageMissing() - before.calls().usageMissing(),
                after.reservations().settled() - before.reservations().settled(),
                after.reservations().refunded() - before.reservations().refunded(),
                after.reservations().expired() - before.reservations().expired(),
                after.reservations().refused() - before.reservations().refused());
    }
}
