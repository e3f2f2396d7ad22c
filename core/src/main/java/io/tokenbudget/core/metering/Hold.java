package io.tokenbudget.core.metering;

import io.tokenbudget.Reservation;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.core.DefaultTokenLimiter;

/**
 * What is to be held for one round.
 *
 * @param request asks the limiter for it; of a stream it may be a first part of the output only
 * @param estimatedInput its input as it was counted, before it was corrected by what earlier calls reported
 * @param mostOutput the largest output that may ever be held for it, as it flows
 * @param ceilings what application code has said of its run
 */
record Hold(ReservationRequest request, long estimatedInput, long mostOutput, Ceilings ceilings) {

    /**
     * Whether a hold like this is enough for {@code other}, and of the same caller and model. Inputs are compared before they
     * are corrected: a repeat is not another call because the model has answered in between.
     */
    boolean covers(Hold other) {
        return other.request.context().equals(request.context())
                && String.valueOf(other.request.model()).equals(String.valueOf(request.model()))
                && other.ceilings.budgets().equals(ceilings.budgets())
                && other.estimatedInput <= estimatedInput
                && other.request.outputTokens() <= request.outputTokens();
    }

    /** Whether all that may ever be held for it is held at once: nothing is added as the answer flows. */
    boolean isWhole() {
        return mostOutput <= request.outputTokens();
    }

    /**
     * Holds it.
     *
     * @throws io.tokenbudget.LimitExceededException if a limit refuses
     * @throws io.tokenbudget.IdempotencyConflictException if its name is that of another call
     */
    Reservation reserve(DefaultTokenLimiter limiter) {
        return limiter.reserve(request, ceilings.terms());
    }

    /**
     * Holds a later {@code part} of it, after what it was made for has been booked.
     *
     * @throws io.tokenbudget.LimitExceededException if a limit refuses
     */
    Reservation reserveMore(ReservationRequest part, DefaultTokenLimiter limiter) {
        return limiter.reserve(part, ceilings.terms().goingOnAfter(request.inputTokens()));
    }

    /** The same under a name. */
    Hold named(String id) {
        ReservationRequest.Builder named = ReservationRequest.builder()
                .id(id)
                .context(request.context())
                .inputTokens(request.inputTokens())
                .outputTokens(request.outputTokens())
                .images(request.images());
        String model = request.model();
        return new Hold((model == null ? named : named.model(model)).build(), estimatedInput, mostOutput, ceilings);
    }
}
