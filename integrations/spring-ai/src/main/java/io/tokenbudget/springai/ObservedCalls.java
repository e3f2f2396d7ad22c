package io.tokenbudget.springai;

import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Frame;

/**
 * Takes down which observation a call is made in, so that a call which the provider has billed is booked although a listener
 * of the application's, called when the observation stops, throws in place of the answer.
 *
 * <p>Thread-safe. No method throws.
 */
public final class ObservedCalls {
    private final CallMeter meter;

    /** @param meter books the calls */
    public ObservedCalls(CallMeter meter) {
        this.meter = meter;
    }

    /**
     * The call that is made on this thread is observed with {@code context}.
     *
     * @param context Spring AI's {@code ModelObservationContext}; anything else is ignored
     */
    public void observedIn(Object context) {
        Frame frame = meter.current();
        if (frame == null || frame.inTools()) {
            return;
        }
        if (frame.attachment() instanceof CallState state) {
            state.observed.in(context);
        } else if (frame.attachment() instanceof Observed observed) {
            observed.in(context);
        }
    }
}
