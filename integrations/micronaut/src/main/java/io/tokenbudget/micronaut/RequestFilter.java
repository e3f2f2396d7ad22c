package io.tokenbudget.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.propagation.MutablePropagatedContext;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.web.router.RouteAttributes;
import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.http.Asker;
import io.tokenbudget.core.http.ContextHeader;
import io.tokenbudget.core.http.IncomingContext;
import io.tokenbudget.core.http.IncomingContext.Received;
import io.tokenbudget.core.http.RefusalAnswer;
import io.tokenbudget.core.http.RemainingBudget;
import io.tokenbudget.core.metering.CallMeter;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who sends a request, as the configured sources {@code header:}, {@code principal} and {@code claim:} say, holds for all that
 * is done for it; and a refusal that comes out of a controller inside of another exception is answered as one. After Micronaut
 * Security, which finds the principal. Thread-safe.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Requires(classes = ExceptionHandler.class)
@Requires(condition = Switch.Http.class)
@Order(RequestFilter.ORDER)
final class RequestFilter {
    /** Inside of {@code ServerFilterPhase.SECURITY}. */
    static final int ORDER = 39_250;

    private final CallMeter meter;
    private final List<ClaimReader> claims;
    private final IncomingContext incoming;

    RequestFilter(CallMeter meter, List<ClaimReader> claims, IncomingContext incoming) {
        this.meter = meter;
        this.claims = claims;
        this.incoming = incoming;
    }

    @io.micronaut.http.annotation.RequestFilter
    void open(HttpRequest<?> request, MutablePropagatedContext context) {
        BudgetContext caller = meter.request(source -> value(request, source));
        ContextHeader told = incoming.read(received(request));
        if (told != null) {
            caller = caller.with(told.context());
            String parent = told.reservation();
            if (parent != null) {
                context.add(new ParentReservation(parent));
            }
        }
        request.setAttribute(Asker.ATTRIBUTE, Asker.of(meter.asker(caller)));
        if (caller.request() != null || told != null) {
            context.add(new RequestCaller(caller));
        }
    }

    private static Received received(HttpRequest<?> request) {
        HttpHeaders fields = request.getHeaders();
        InetSocketAddress peer = request.getRemoteAddress();
        return new Received(
                peer == null || peer.isUnresolved() ? null : peer.getAddress().getHostAddress(),
                fields.getAll(ContextHeader.NAME),
                fields.getAll("X-Forwarded-For"),
                fields.getAll("Forwarded"));
    }

    private @Nullable String value(HttpRequest<?> request, IdentitySource source) {
        Principal principal = request.getUserPrincipal().orElse(null);
        return switch (source.kind()) {
            case HEADER -> request.getHeaders().get(source.name());
            case PRINCIPAL -> principal == null ? null : principal.getName();
            case CLAIM -> principal == null ? null : claim(principal, source.name());
            default -> null;
        };
    }

    private @Nullable String claim(Principal principal, String name) {
        for (ClaimReader reader : claims) {
            String claim = reader.claim(principal, name);
            if (claim != null) {
                return claim;
            }
        }
        return null;
    }

    @ResponseFilter
    HttpResponse<?> answer(HttpRequest<?> request, MutableHttpResponse<?> response) {
        Throwable thrown = response.code() < 500
                ? null
                : RouteAttributes.getException(response).orElse(null);
        RefusalAnswer answer = RefusalAnswer.among(thrown, RefusalHandler.asker(request));
        if (answer != null) {
            return RefusalHandler.response(answer);
        }
        EventStreams.tellOfRefusals(response, RefusalHandler.asker(request));
        boolean saysRemaining = meter.settings().http().remaining() && !EventStreams.isStream(response);
        if (saysRemaining && response.code() < HttpStatus.BAD_REQUEST.getCode()) {
            RemainingBudget.fields(meter, RefusalHandler.asker(request)).forEach(response::header);
        }
        return response;
    }
}
