package io.tokenbudget;

import java.time.Duration;
import java.util.List;

/**
 * Holds room in every budget a model call falls under before the call, and books what it really used after it.
 *
 * <p>Thread-safe. No lock is held while a model call runs: each method is one short step, and the reservation between
 * two steps is identified by its id alone, so that another thread (or, with a shared store, another process) may end it.
 *
 * <p>Amounts are tokens. All methods throw {@link NullPointerException} for null arguments.
 */
public interface TokenLimiter {

    /**
     * Holds the request's tokens on every budget it falls under, or on none.
     *
     * <p>A request whose id is already known holds nothing more and returns the reservation as it stands now, whatever
     * its status.
     *
     * @throws LimitExceededException if any limit of any budget has no room; nothing is held then
     * @throws IdempotencyConflictException if the id is known with other amounts or other scopes
     */
    Reservation reserve(ReservationRequest request);

    /**
     * Holds {@code estimatedTokens} for an agent of a tenant, under a generated id.
     *
     * <p>The whole estimate counts as output on limits of input or output tokens.
     *
     * @throws LimitExceededException as {@link #reserve(ReservationRequest)}
     * @throws IllegalArgumentException if {@code estimatedTokens} is not positive
     */
    Reservation reserve(String agent, String tenant, long estimatedTokens);

    /**
     * Makes a hold larger, on all its budgets or on none. The additional tokens count as output.
     *
     * @param moreTokens tokens to add, positive
     * @throws LimitExceededException if they do not fit; the hold stays as it was
     * @throws UnknownReservationException if no reservation has this id
     * @throws IllegalStateException if the reservation has ended
     * @throws IllegalArgumentException if {@code moreTokens} is not positive
     */
    Reservation topUp(String reservationId, long moreTokens);

    /**
     * Makes a hold last longer by {@code more}, counted from its present expiry.
     *
     * @param more positive, at most 3650 days
     * @throws UnknownReservationException if no reservation has this id
     * @throws IllegalStateException if the reservation has ended
     * @throws IllegalArgumentException if {@code more} is not positive, or more than 3650 days
     */
    Reservation extend(String reservationId, Duration more);

    /**
     * Replaces the hold with real usage.
     *
     * <p>Only the first end of a reservation counts: a repeat, or a settle after a refund, changes nothing. A settle
     * after expiry books the usage, once, and releases nothing a second time.
     *
     * @throws UnknownReservationException if no reservation has this id (any more)
     */
    void settle(String reservationId, Usage actual);

    /**
     * Replaces the hold with real usage of which only the total is known. It is booked as input up to the reserved
     * input and as output beyond.
     *
     * @param actualTokens tokens, zero or more
     * @throws UnknownReservationException if no reservation has this id (any more)
     * @throws IllegalArgumentException if {@code actualTokens} is negative
     */
    void settle(String reservationId, long actualTokens);

    /**
     * Releases the hold and books nothing but the attempt. A repeat, or a refund after any other end, changes nothing.
     *
     * @throws UnknownReservationException if no reservation has this id (any more)
     */
    void refund(String reservationId);

    /**
     * Tokens that a call in this scope could reserve now, after what is used and held: the tightest of the scope's
     * limits on tokens. Zero if it is overdrawn, {@link Long#MAX_VALUE} if no limit on tokens applies.
     *
     * @param scope such as {@code agent:planner}, {@code global} or {@code tenant:acme/agent:planner}
     * @throws IllegalArgumentException if {@code scope} is not written like that
     */
    long remaining(String scope);

    /**
     * Every live budget, one entry for each limit: those with something used or held, and those the configuration
     * names. A snapshot; the entries of one scope are consistent with each other.
     */
    List<BudgetStatus> status();
}
