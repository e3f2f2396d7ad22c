package io.tokenbudget.springai;

import io.micrometer.observation.Observation;
import io.micrometer.observation.Observation.Scope;
import io.micrometer.observation.ObservationRegistry;
import io.tokenbudget.core.metering.CallMeter;
import org.jspecify.annotations.Nullable;

/**
 * What one model observes with: its listener meters the model and hands on to the application's registry. Which observation is
 * the current one, the application's registry says.
 *
 * <p>Thread-safe.
 */
final class MeteringRegistry implements ObservationRegistry {
    private final ObservationRegistry applications;
    private final ObservationConfig config = new ObservationConfig();

    /** @param applications may observe nothing */
    MeteringRegistry(ObservationRegistry applications, Object model, CallMeter meter) {
        this.applications = applications;
        config.observationHandler(new MeteringHandler(applications, model, meter));
    }

    ObservationRegistry applications() {
        return applications;
    }

    @Override
    public @Nullable Observation getCurrentObservation() {
        return applications.getCurrentObservation();
    }

    @Override
    public @Nullable Scope getCurrentObservationScope() {
        return applications.getCurrentObservationScope();
    }

    @Override
    public void setCurrentObservationScope(@Nullable Scope scope) {
        applications.setCurrentObservationScope(scope);
    }

    @Override
    public ObservationConfig observationConfig() {
        return config;
    }
}
