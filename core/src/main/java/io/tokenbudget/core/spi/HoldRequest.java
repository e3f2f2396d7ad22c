package io.tokenbudget.core.spi;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a ledger is asked to hold.
 *
 * @param id the caller's id, or null for one that the ledger makes
 * @param budgets all budgets of the call, each scope once; unmodifiable
 * @param inputTokens zero or more; zero for a hold up front
 * @param outputTokens zero or more; all tokens of a hold up front
 * @param hold how long the hold lasts if nobody ends it
 * @param admission whether limits refuse
 * @param kind what it is for
 * @param within the id of the hold up front that it draws from; null for none. One that is not known, or
 *     not any more, gives nothing; one that has ended passes on to that which it was within itself
 * @param price what it costs, for limits in money; null if it costs nothing. Those refuse what has an unknown price
 */
public record HoldRequest(
        @Nullable String id,
        List<BudgetRef> budgets,
        long inputTokens,
        long outputTokens,
        Duration hold,
        Admission admission,
        Kind kind,
        @Nullable String within,
        @Nullable Price price) {

    /** One call, which draws from nothing and costs nothing. */
    public HoldRequest(
            @Nullable String id,
            List<BudgetRef> budgets,
            long inputTokens,
            long outputTokens,
            Duration hold,
            Admission admission) {
        this(id, budgets, inputTokens, outputTokens, hold, admission, Kind.CALL, null, null);
    }

    /** What tokens are held for. */
    public enum Kind {
        /** One call. */
        CALL,
        /**
         * Calls to come, which draw from it. It counts for limits in {@code tokens} alone, since how these will be spread
         * over calls, models, input and output is not known, and it can be refunded but not settled.
         */
        UP_FRONT
    }

    /** Whether limits refuse. */
    public enum Admission {
        /** A limit without room refuses. */
        ENFORCE,
        /** Everything is admitted and counted. */
        OBSERVE
    }
}
