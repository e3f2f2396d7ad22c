package io.tokenbudget.spring.boot;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.http.Asker;
import io.tokenbudget.core.http.ContextHeader;
import io.tokenbudget.core.http.IncomingContext;
import io.tokenbudget.core.http.RemainingBudget;
import io.tokenbudget.core.http.SharedCaches;
import io.tokenbudget.core.metering.CallMeter;
import java.security.Principal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Puts who calls into the Reactor context of what serves a request of WebFlux. Thread-safe. */
final class RequestWebFilter implements WebFilter, Ordered {
    /** After Spring Security's, which stands at -100. */
    private static final int AFTER_SECURITY = -99;

    private final CallMeter meter;
    private final IncomingContext incoming;

    RequestWebFilter(CallMeter meter, IncomingContext incoming) {
        this.meter = meter;
        this.incoming = incoming;
    }

    @Override
    public int getOrder() {
        return AFTER_SECURITY;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return exchange.getPrincipal()
                .map(Optional::<Principal>of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(principal -> filter(exchange, chain, principal.orElse(null)));
    }

    private Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain, @Nullable Principal principal) {
        ServerHttpRequest request = exchange.getRequest();
        BudgetContext caller = meter.request(RequestValues.of(request.getHeaders()::getFirst, principal));
        ContextHeader told = incoming.read(ReceivedRequests.OfWebFlux.of(request));
        return filter(exchange, chain, told == null ? caller : caller.with(told.context()));
    }

    @SuppressWarnings("ReferenceEquality") // what a request says is no part of equality
    private Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain, BudgetContext caller) {
        Asker asker = Asker.of(meter.asker(caller));
        exchange.getAttributes().put(Asker.ATTRIBUTE, asker);
        // For those who answer errors: they are outside of what serves the request, and of its Reactor context.
        exchange.getAttributes().put(BudgetContext.KEY, caller);
        EventStreamResponse response = new EventStreamResponse(exchange.getResponse(), asker);
        if (meter.settings().http().remaining()) {
            response.beforeCommit(() -> Mono.fromRunnable(() -> sayRemaining(response, asker)));
        }
        Mono<Void> served = chain.filter(exchange.mutate().response(response).build());
        return caller == BudgetContext.EMPTY
                ? served
                : served.contextWrite(context -> context.put(BudgetContext.KEY, caller));
    }

    /** Not in streams: their fields are sent before it is known what they cost. Not in what caches may keep for others. */
    private void sayRemaining(EventStreamResponse response, Asker asker) {
        HttpStatusCode status = response.getStatusCode();
        boolean isForCaller = !response.streams() && !SharedCaches.mayKeep(response.getHeaders()::getValuesAsList);
        if (isForCaller && (status == null || !status.isError())) {
            RemainingBudget.fields(meter, asker).forEach(response.getHeaders()::set);
        }
    }
}
