package io.tokenbudget.spring.boot;

import io.tokenbudget.BudgetContext;
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
import org.springframework.core.Ordered;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.WebUtils;

/**
 * Opens who calls around each dispatch of a request of a servlet container, and answers a refusal that nobody else has. Thread-safe.
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

    /** Others than the request's own thread go on with it. */
    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected boolean shouldNotFilterErrorDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        ServedFor kept = ServedFor.of(request);
        ServedFor.Open open = (kept == null ? received(request) : kept).open();
        try {
            if (kept == null) {
                Askers.takeDown(meter, request);
            }
            serve(FollowedRequest.of(request), response, chain);
        } catch (ServletException | IOException | RuntimeException thrown) {
            RefusalAnswer answer = RefusalAnswer.among(thrown, Asker.in(request.getAttribute(Asker.ATTRIBUTE)));
            if (answer == null || response.isCommitted()) {
                throw thrown;
            }
            ServletAnswers.write(answer, response);
        } finally {
            open.close();
        }
    }

    private ServedFor received(HttpServletRequest request) {
        BudgetContext caller = meter.request(RequestValues.of(request::getHeader, request.getUserPrincipal()));
        ContextHeader told = incoming.read(ReceivedRequests.OfServlets.of(request));
        return told == null
                ? new ServedFor(caller, null)
                : new ServedFor(caller.with(told.context()), told.reservation());
    }

    private void serve(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!meter.settings().http().remaining()) {
            chain.doFilter(request, response);
            return;
        }
        RemainingResponse begun = WebUtils.getNativeResponse(response, RemainingResponse.class);
        RemainingResponse saying = begun == null ? new RemainingResponse(request, response, meter) : begun;
        chain.doFilter(request, begun == null ? saying : response);
        saying.say();
    }
}
