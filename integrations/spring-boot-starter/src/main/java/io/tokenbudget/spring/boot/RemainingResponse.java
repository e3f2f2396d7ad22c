package io.tokenbudget.spring.boot;

import io.tokenbudget.core.http.Asker;
import io.tokenbudget.core.http.RemainingBudget;
import io.tokenbudget.core.http.SharedCaches;
import io.tokenbudget.core.metering.CallMeter;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;

/**
 * Says what is left of the caller's own budgets immediately before the answer's body begins. Streams are left alone: their
 * fields are sent before it is known what they cost. So is what caches may keep for others. As thread-safe as the response.
 */
final class RemainingResponse extends HttpServletResponseWrapper {
    private final HttpServletRequest request;
    private final CallMeter meter;
    private boolean said;

    RemainingResponse(HttpServletRequest request, HttpServletResponse response, CallMeter meter) {
        super(response);
        this.request = request;
        this.meter = meter;
    }

    /** Says it, unless it has been said, cannot be said any more, or is not to be said in this answer. */
    void say() {
        boolean isStream = request.isAsyncStarted() || ServletAnswers.isEventStream(getContentType());
        boolean isForNobody = isStream || getStatus() >= HttpServletResponse.SC_BAD_REQUEST;
        if (said || isCommitted() || isForNobody || SharedCaches.mayKeep(this::getHeaders)) {
            return;
        }
        said = true;
        RemainingBudget.fields(meter, Asker.in(request.getAttribute(Asker.ATTRIBUTE)))
                .forEach(this::setHeader);
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        say();
        return super.getOutputStream();
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        say();
        return super.getWriter();
    }

    @Override
    public void flushBuffer() throws IOException {
        say();
        super.flushBuffer();
    }
}
