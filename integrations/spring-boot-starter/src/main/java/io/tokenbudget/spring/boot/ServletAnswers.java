package io.tokenbudget.spring.boot;

import io.tokenbudget.core.http.RefusalAnswer;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Writes the answer to a refusal to a servlet container's response. Stateless. */
final class ServletAnswers {
    static final String EVENT_STREAM = "text/event-stream";

    private static final String CACHE_CONTROL = "Cache-Control";

    private ServletAnswers() {}

    /** In place of anything that was to be answered. The response is not committed. */
    static void write(RefusalAnswer answer, HttpServletResponse response) throws IOException {
        response.resetBuffer();
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
        if (response.containsHeader(CACHE_CONTROL)) {
            // What was said of the answer that is not given.
            response.setHeader(CACHE_CONTROL, "no-store");
        }
        response.setContentType(answer.contentType());
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
        response.flushBuffer();
    }

    /** As the last event of a stream of events that has begun. */
    static void writeEvent(RefusalAnswer answer, HttpServletResponse response) throws IOException {
        response.getOutputStream().write(RefusalEvents.event(answer));
        response.flushBuffer();
    }

    static boolean isEventStream(@Nullable String contentType) {
        return contentType != null && contentType.startsWith(EVENT_STREAM);
    }
}
