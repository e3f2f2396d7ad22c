package io.tokenbudget.core.spi;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.Reservation;
import io.tokenbudget.Usage;
import java.time.Duration;
import java.util.List;

/**
 * Keeps what is used and held of every budget. Thread-safe; every method is atomic.
 *
 * <p>The rules, which hold under any interleaving and which the contract suite checks on every store:
 *
 * <ul>
 *   <li>R1 a reserve holds on all budgets or changes nothing; a refusal names the limit with the longest wait
 *   <li>R2 used + held never exceeds a limit at the moment a reserve or top-up is granted
 *   <li>R3 what a budget holds is the sum of its held reservations
 *   <li>R4 a reservation ends once; the first end wins and repeats change nothing
 *   <li>R5 the same id holds once; with other amounts or scopes it is a conflict
 *   <li>R6 a settle after expiry books its usage, once, and releases nothing again
 *   <li>R7 a hold that nobody ends expires, on the ledger's clock
 *   <li>R9 an {@link OverrunPolicy} says what to book beyond the reserved amount
 *   <li>R10 what is larger than a whole limit is refused for ever
 *   <li>R11 {@code retryAfter} is the earliest time at which the request would fit if no hold is settled
 *   <li>R12 budgets at rest and ended reservations leave memory
 *   <li>R13 rolling windows err by at most one sixtieth, and only to the safe side; usage is booked when it is settled
 *   <li>R14 no sum wraps
 * </ul>
 */
public interface Ledger {

    /**
     * Holds on all budgets or on none. One that is made {@linkplain HoldRequest#within() within} a hold up front takes from
     * that what it needs and is there, and from those that that one is within, and has to find room for the rest alone; it is
     * refused as a whole. What it took and did not use goes back when it is settled or refunded, as far as limits allow, and
     * what it used beyond its hold is taken off; it keeps alive what it draws from.
     *
     * @throws io.tokenbudget.LimitExceededException if a limit refuses
     * @throws io.tokenbudget.IdempotencyConflictException if the id is known with other amounts or scopes
     */
    Reservation reserve(HoldRequest request);

    /**
     * Adds output tokens to a hold, on all its budgets or on none, as a reserve does.
     *
     * @throws io.tokenbudget.LimitExceededException if a limit refuses
     * @throws io.tokenbudget.UnknownReservationException if the id is unknown
     * @throws IllegalStateException if the reservation has ended
     */
    Reservation topUp(String id, long moreOutputTokens, HoldRequest.Admission admission);

    /**
     * Moves a hold's expiry, and those of the holds that it draws from to it where they would come first.
     *
     * @throws io.tokenbudget.UnknownReservationException if the id is unknown
     * @throws IllegalStateException if the reservation has ended
     */
    Reservation extend(String id, Duration more);

    /**
     * Replaces a hold with usage.
     *
     * @throws io.tokenbudget.UnknownReservationException if the id is unknown
     * @throws IllegalStateException if it is a hold up front
     */
    void settle(String id, Usage actual, OverrunPolicy overrun);

    /**
     * Replaces a hold with usage of which only the total is known: input up to the reserved input, output beyond.
     *
     * @throws io.tokenbudget.UnknownReservationException if the id is unknown
     * @throws IllegalStateException if it is a hold up front
     */
    void settle(String id, long actualTokens, OverrunPolicy overrun);

    /**
     * Releases a hold.
     *
     * @throws io.tokenbudget.UnknownReservationException if the id is unknown
     */
    void refund(String id);

    /** The limits of one budget as they stand now, whether or not anything is used or held. */
    List<BudgetStatus> status(BudgetRef budget);

    /** The limits of all budgets with something used or held. */
    List<BudgetStatus> status();

    /**
     * The same for at most {@code most} budgets, those of runs last: what a report needs when there are very many.
     *
     * @return with each budget all its limits
     */
    default List<BudgetStatus> status(int most) {
        return status();
    }

    /** No call of the run named {@code run} will be made any more: what is kept for it may leave memory. */
    default void endRun(String run) {}

    /** How the reservations stand. */
    LedgerCounts counts();
}
