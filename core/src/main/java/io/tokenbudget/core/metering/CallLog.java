package io.tokenbudget.core.metering;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.Usage;
import org.jspecify.annotations.Nullable;

/**
 * Hears how each metered provider round ended. Off by default.
 *
 * <p>Called on the thread of the model call, after the ledger has booked; must be thread-safe and quick. What it throws
 * counts as a fault of ours and changes nothing else.
 */
public interface CallLog {

    /** Hears nothing. */
    CallLog OFF = new CallLog() {
        @Override
        public void answered(ReservationRequest estimate, Usage actual) {}

        @Override
        public void kept(ReservationRequest estimate, Usage booked, @Nullable Failure failure) {}

        @Override
        public void refunded(ReservationRequest estimate, Failure failure) {}

        @Override
        public void refused(ReservationRequest estimate, long outputByDefault, LimitExceededException refusal) {}
    };

    /** The provider answered and said what it used. */
    void answered(ReservationRequest estimate, Usage actual);

    /**
     * The provider did not say what it used, and a part of the estimate was booked.
     *
     * @param failure null if it answered
     */
    void kept(ReservationRequest estimate, Usage booked, @Nullable Failure failure);

    /** A budget had no room for the rest of a streamed answer, and what had flowed was booked. */
    default void cut(ReservationRequest estimate, Usage booked, RuntimeException refusal) {
        kept(estimate, booked, Failure.CUT_STREAM);
    }

    /** The application wanted no more of a streamed answer, and what had flowed was booked. */
    default void left(ReservationRequest estimate, Usage booked) {
        kept(estimate, booked, Failure.CUT_STREAM);
    }

    /** The call failed and nothing was booked. */
    void refunded(ReservationRequest estimate, Failure failure);

    /**
     * The call was not made.
     *
     * @param outputByDefault how many tokens of the estimate are output that the configuration assumes, because the
     *     request sets no maximum; 0 if it sets one
     */
    void refused(ReservationRequest estimate, long outputByDefault, LimitExceededException refusal);
}
