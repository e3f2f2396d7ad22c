package io.tokenbudget.micronaut;

import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.management.endpoint.annotation.Endpoint;
import io.micronaut.management.endpoint.annotation.Read;
import io.micronaut.management.endpoint.annotation.Selector;
import io.tokenbudget.core.http.ReportDocument;
import io.tokenbudget.core.metering.Metering;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /tokenbudgets} and {@code /tokenbudgets/tenant:acme}, as the agent's status port answers them. Sensitive unless the
 * application says otherwise. Thread-safe.
 */
@Endpoint(id = BudgetsEndpoint.ID, defaultSensitive = true)
@Requires(classes = Endpoint.class)
final class BudgetsEndpoint {
    static final String ID = "tokenbudgets";

    private final Metering metering;
    private final BeanProvider<UnmeteredBeans> unmetered;

    BudgetsEndpoint(Metering metering, BeanProvider<UnmeteredBeans> unmetered) {
        this.metering = metering;
        this.unmetered = unmetered;
    }

    /** Everything, and the model beans that are not metered. */
    @Read(produces = MediaType.APPLICATION_JSON)
    String all() {
        Map<String, @Nullable Object> document = ReportDocument.of(metering.report());
        if (unmetered.isPresent()) {
            unmetered.get().tell(document);
        }
        return ReportDocument.json(document);
    }

    /** One scope, whose slashes may be written as {@code %2F}; 404 if it has no budget. */
    @Read(produces = MediaType.APPLICATION_JSON)
    HttpResponse<String> one(@Selector String scope) {
        return of(scope);
    }

    /** One scope of two dimensions: {@code tenant:acme/agent:planner}. */
    @Read(produces = MediaType.APPLICATION_JSON)
    HttpResponse<String> two(@Selector String first, @Selector String second) {
        return of(first + '/' + second);
    }

    /** One scope of three. */
    @Read(produces = MediaType.APPLICATION_JSON)
    HttpResponse<String> three(@Selector String first, @Selector String second, @Selector String third) {
        return of(first + '/' + second + '/' + third);
    }

    private HttpResponse<String> of(String scope) {
        Map<String, @Nullable Object> document = ReportDocument.of(metering.report(), scope);
        return document == null ? HttpResponse.notFound() : HttpResponse.ok(ReportDocument.json(document));
    }
}
