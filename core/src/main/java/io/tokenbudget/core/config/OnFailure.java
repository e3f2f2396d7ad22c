package io.tokenbudget.core.config;

/**
 * What to book for a call that failed, by what the provider may have billed.
 *
 * @param rejected the provider answered with an error or was never reached
 * @param timeout the request was sent and no answer came in time
 * @param cutStream the answer began and broke off
 * @param unusableAnswer an answer came and could not be used
 */
public record OnFailure(Booking rejected, Booking timeout, Booking cutStream, Booking unusableAnswer) {
    /** Refund what was rejected, keep what may have been billed. */
    public static final OnFailure DEFAULT =
            new OnFailure(Booking.REFUND, Booking.KEEP_INPUT, Booking.KEEP_COUNTED, Booking.KEEP_INPUT);

    /** What to book. */
    public enum Booking {
        /** Nothing. */
        REFUND,
        /** The estimated input. */
        KEEP_INPUT,
        /** The estimated input and the output counted so far. */
        KEEP_COUNTED,
        /** The whole estimate. */
        KEEP_ESTIMATE
    }
}
