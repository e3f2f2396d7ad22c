package io.tokenbudget.micronaut;

import io.micronaut.context.annotation.Factory;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.testkit.annotation.Model;
import io.tokenbudget.testkit.inprocess.MeteredModel;
import jakarta.inject.Singleton;

/** The model that the tests' beans ask. */
@Factory
final class SuiteModels {
    @Singleton
    Model model(CallMeter meter) {
        return new MeteredModel(meter);
    }
}
