package io.tokenbudget.spring.boot;

import io.tokenbudget.core.config.Settings;
import io.tokenbudget.core.spi.HoldRequest.Admission;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What health says of budgets. A broken configuration makes nobody unhealthy: the application works, and is not to be started
 * again and again for it. Stateless.
 */
final class HealthDetails {
    private HealthDetails() {}

    /** @param inForce what the limiter goes by */
    static Map<String, Object> of(Settings inForce, StarterSettings settings, MeteredBeans models) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("mode", inForce.mode() == Admission.ENFORCE ? "enforce" : "observe");
        details.put("budgetRows", inForce.budgets().size());
        if (!settings.problems().isEmpty()) {
            details.put("problems", settings.problems());
        }
        Map<String, String> unmetered = models.unmeteredByName();
        if (!unmetered.isEmpty()) {
            details.put("unmeteredModels", unmetered);
        }
        return details;
    }
}
