package io.tokenbudget.core.spi;

/**
 * What to book when a call used more than was reserved for it. Stateless or thread-safe: called under a ledger's lock,
 * it must be quick and must not call the ledger.
 */
@FunctionalInterface
public interface OverrunPolicy {

    /** Books what was really used. The budget may go below zero, and refuses until that has rolled off. */
    OverrunPolicy CHARGE_ACTUAL = (unit, reserved, actual) -> actual;

    /** Books no more than was reserved. */
    OverrunPolicy CAP_AT_ESTIMATE = (unit, reserved, actual) -> Math.min(reserved, actual);

    /**
     * @param unit what is booked
     * @param reserved what was held of it when the call ended
     * @param actual what was used of it
     * @return what to book, zero or more
     */
    long charge(LimitUnit unit, long reserved, long actual);
}
