package io.tokenbudget.spring.boot;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.http.ContextHeader;
import io.tokenbudget.core.http.OutgoingContext;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/** Says to other services for whom a request is made, in those of {@code WebClient}. Thread-safe. */
final class ContextFilterFunction implements ExchangeFilterFunction {
    private final OutgoingContext context;

    ContextFilterFunction(OutgoingContext context) {
        this.context = context;
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        return Mono.deferContextual(
                reactor -> next.exchange(telling(request, reactor.getOrDefault(BudgetContext.KEY, null))));
    }

    private ClientRequest telling(ClientRequest request, @Nullable Object carried) {
        String value = context.to(request.url().getHost(), carried);
        return value == null
                ? request
                : ClientRequest.from(request)
                        .headers(fields -> fields.set(ContextHeader.NAME, value))
                        .build();
    }
}
