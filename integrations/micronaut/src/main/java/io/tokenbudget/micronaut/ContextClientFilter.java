package io.tokenbudget.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.annotation.ClientFilter;
import io.micronaut.http.annotation.RequestFilter;
import io.tokenbudget.core.http.ContextHeader;
import io.tokenbudget.core.http.OutgoingContext;

/** Says to other services for whom a request is made, in those of Micronaut's client. Thread-safe. */
@ClientFilter(ClientFilter.MATCH_ALL_PATTERN)
@Requires(condition = Switch.Http.class)
final class ContextClientFilter {
    private final OutgoingContext context;

    ContextClientFilter(OutgoingContext context) {
        this.context = context;
    }

    @RequestFilter
    void tell(MutableHttpRequest<?> request) {
        String value = context.to(request.getUri().getHost());
        if (value != null) {
            request.header(ContextHeader.NAME, value);
        }
    }
}
