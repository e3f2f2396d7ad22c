package io.tokenbudget.spring.boot;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.core.http.Asker;
import io.tokenbudget.core.http.ContextHeader;
import io.tokenbudget.core.http.IncomingContext;
import io.tokenbudget.core.http.RefusalAnswer;
import io.tokenbudget.core.metering.CallMeter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.MDC;
import org.springframework.core.Ordered;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Opens who calls around what serves a request of a servlet container, and answers a refusal that nobody else has. Thread-safe.
 */
final class RequestFilter extends OncePerRequestFilter implements Ordered {
    /** After Spring Security's, which stands at -100: there the principal is known. */
    private static final int AFTER_SECURITY = -99;

    private final CallMeter meter;
    private final IncomingContext incoming;

    RequestFilter(CallMeter meter, IncomingContext incoming) {
        this.meter = meter;
        this.incoming = incoming;
    }

    @Override
    public int getOrder() {
        return AFTER_SECURITY;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        BudgetContext caller = meter.request(RequestValues.of(request::getHeader, request.getUserPrincipal()));
        ContextHeader told = incoming.read(ReceivedRequests.OfServlets.of(request));
        if (told != null) {
            caller = caller.with(told.context());
        }
        TokenBudgets.Scope open = TokenBudgets.open(caller);
        String parent = told == null ? null : told.reservation();
        if (parent != null) {
            MDC.put(ContextHeader.PARENT, parent);
        }
        try {
            Askers.takeDown(meter, request);
            serve(request, response, chain);
        } catch (ServletException | IOException | RuntimeException thrown) {
            RefusalAnswer answer = RefusalAnswer.among(thrown, Asker.in(request.getAttribute(Asker.ATTRIBUTE)));
            if (answer == null || response.isCommitted()) {
                throw thrown;
            }
            ServletAnswers.write(answer, response);
        } finally {
            open.close();
            if (parent != null) {
                MDC.remove(ContextHeader.PARENT);
            }
        }
    }

    private void serve(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!meter.settings().http().remaining()) {
            chain.doFilter(request, response);
            return;
        }
        RemainingResponse saying = new RemainingResponse(request, response, meter);
        chain.doFilter(request, saying);
        saying.say();
    }
}
