package io.tokenbudget.springai;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationFilter;
import io.tokenbudget.core.metering.CallMeter;
import org.springframework.ai.model.observation.ModelObservationContext;

/**
 * Keeps listeners of Micrometer's that throw from hiding a billed answer, for applications without the agent.
 *
 * <pre>{@code
 * registry.observationConfig().observationFilter(MeteredObservations.filter(meter));
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class MeteredObservations {
    private MeteredObservations() {}

    /**
     * A filter that changes nothing, for the registry that the wrapped models observe with. Filters run before any handler is
     * told that an observation has stopped: so the answer is known, and booked, if one of them throws. Register it before
     * filters of your own that may throw.
     */
    public static ObservationFilter filter(CallMeter meter) {
        ObservedCalls calls = new ObservedCalls(meter);
        return context -> noted(calls, context);
    }

    private static Observation.Context noted(ObservedCalls calls, Observation.Context context) {
        if (context instanceof ModelObservationContext<?, ?>) {
            calls.observedIn(context);
        }
        return context;
    }
}
