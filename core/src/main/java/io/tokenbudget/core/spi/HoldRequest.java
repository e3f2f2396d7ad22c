package io.tokenbudget.core.spi;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a ledger is asked to hold.
 *
 * @param id the caller's id, or null for one that the ledger makes
 * @param budgets all budgets of the call, each scope once; unmodifiable
 * @param inputTokens zero or more
 * @param outputTokens zero or more
 * @param hold how long the hold lasts if nobody ends it
 * @param admission whether limits refuse
 */
public record HoldRequest(
        @Nullable String id,
        List<BudgetRef> budgets,
        long inputTokens,
        long outputTokens,
        Duration hold,
        Admission admission) {

    /** Whether limits refuse. */
    public enum Admission {
        /** A limit without room refuses. */
        ENFORCE,
        /** Everything is admitted and counted. */
        OBSERVE
    }
}
