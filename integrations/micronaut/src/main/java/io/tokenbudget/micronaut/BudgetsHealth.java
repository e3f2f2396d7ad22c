package io.tokenbudget.micronaut;

import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.tokenbudget.core.spi.HoldRequest.Admission;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;
import org.reactivestreams.Publisher;

/**
 * What {@code GET /health} says of budgets. A broken configuration makes nobody unhealthy: the application works, and is not to be
 * started again and again for it. Thread-safe.
 */
@Singleton
@Requires(classes = HealthIndicator.class)
@Requires(condition = Switch.Health.class)
final class BudgetsHealth implements HealthIndicator {
    private final ConfiguredBudgets configured;
    private final BeanProvider<UnmeteredBeans> unmetered;

    BudgetsHealth(ConfiguredBudgets configured, BeanProvider<UnmeteredBeans> unmetered) {
        this.configured = configured;
        this.unmetered = unmetered;
    }

    @Override
    public Publisher<HealthResult> getResult() {
        HealthStatus status = configured.isUsable() ? HealthStatus.UP : HealthStatus.UNKNOWN;
        return Publishers.just(
                HealthResult.builder("tokenBudget", status).details(details()).build());
    }

    private Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("mode", configured.settings().mode() == Admission.ENFORCE ? "enforce" : "observe");
        details.put("budgetRows", configured.settings().budgets().size());
        if (!configured.isUsable()) {
            details.put("problems", configured.problems());
        }
        if (unmetered.isPresent()) {
            unmetered.get().tell(details);
        }
        return details;
    }
}
