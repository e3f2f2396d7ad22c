package io.tokenbudget.core.metering;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.config.Streaming;
import io.tokenbudget.core.estimates.ModelEstimates;

/** How much is held for a call, by the configuration and by what models have reported. Thread-safe: it keeps nothing. */
final class Holds {
    private final DefaultTokenLimiter limiter;
    private final ModelEstimates estimates;

    Holds(DefaultTokenLimiter limiter, ModelEstimates estimates) {
        this.limiter = limiter;
        this.estimates = estimates;
    }

    /**
     * @param ceilings what application code has said of the run
     * @param streamed whether the answer flows, so that not all of its output need be held at first
     */
    Hold of(BudgetContext context, Ceilings ceilings, ModelCall call, boolean streamed) {
        long output = maxOutput(call);
        ReservationRequest.Builder request = ReservationRequest.builder()
                .context(context)
                .inputTokens(estimates.of(call.model()).corrected(call.inputTokens()))
                .outputTokens(streamed ? atFirst(call, output) : output)
                .images(call.images());
        String model = call.model();
        if (model != null && !model.isBlank()) {
            request.model(model);
        }
        // Providers keep to a bound; without one, what flows is held however much it is.
        long most = streamed && !call.boundsOutput() ? Long.MAX_VALUE : output;
        return new Hold(request.build(), call.inputTokens(), most, ceilings);
    }

    private long atFirst(ModelCall call, long output) {
        Streaming streaming = limiter.settings().streaming();
        return streaming.chunked(call.boundsOutput())
                ? Math.min(output, Math.multiplyExact((long) streaming.chunk(), Math.max(1, call.answers())))
                : output;
    }

    private long maxOutput(ModelCall call) {
        if (call.answers() == 0) {
            return 0;
        }
        Integer bound = call.maxOutputTokens();
        long perAnswer = bound != null && call.boundsOutput()
                ? bound
                : limiter.settings().estimates().maxOutput(call.model()) + call.thinkingTokens();
        return Math.multiplyExact(perAnswer, call.answers());
    }
}
