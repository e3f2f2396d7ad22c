package io.tokenbudget.core.memory;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.Scope;
import io.tokenbudget.core.spi.Window;
import java.time.Instant;

/**
 * The numbers of one limit of an account, copied under the ledger's lock: what is said of them is made outside.
 *
 * @param emptyAt as {@link Meter#emptyAt}
 */
record LimitState(Scope scope, Limit limit, long used, long held, long remaining, long emptyAt) {

    BudgetStatus toStatus() {
        boolean resets = used > 0 && emptyAt != Meter.NEVER;
        boolean hasWindow = !(limit.window() instanceof Window.Lifetime);
        return new BudgetStatus(
                scope.toString(),
                limit.unit().toString(),
                hasWindow ? limit.window().toString() : null,
                limit.amount(),
                used,
                held,
                remaining,
                resets ? Instant.ofEpochMilli(emptyAt) : null,
                limit.unlimited());
    }
}
