package io.tokenbudget.spring.boot;

import io.tokenbudget.core.http.ReportDocument;
import io.tokenbudget.core.metering.Metering;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The actuator's endpoint {@code tokenbudgets}: what {@code GET /budgets} of the agent answers, of all scopes or of one; and
 * the models that cannot be metered, if there are any. Written here: the actuator's own library leaves out what is null.
 *
 * <p>It shows every tenant's numbers: for operators, not for callers. Thread-safe.
 */
@Endpoint(id = "tokenbudgets")
public class BudgetsEndpoint {
    private final Metering metering;
    private final MeteredBeans models;

    BudgetsEndpoint(Metering metering, MeteredBeans models) {
        this.metering = metering;
        this.models = models;
    }

    /** Every budget with something used or held, and every one that the configuration names. */
    @ReadOperation(produces = "application/json")
    public String all() {
        Map<String, @Nullable Object> json = ReportDocument.of(metering.report());
        Map<String, String> unmetered = models.unmeteredByName();
        if (!unmetered.isEmpty()) {
            json.put("unmeteredModels", unmetered);
        }
        return ReportDocument.json(json);
    }

    /**
     * The budgets of one scope, such as {@code tenant:acme}.
     *
     * @param scope in as many parts as its path has
     * @return null, which is answered with 404, if nothing is used, held or configured there
     */
    @ReadOperation(produces = "application/json")
    public @Nullable String one(@Selector(match = Selector.Match.ALL_REMAINING) String... scope) {
        Map<String, @Nullable Object> json = ReportDocument.of(metering.report(), String.join("/", scope));
        return json == null ? null : ReportDocument.json(json);
    }
}
