package io.tokenbudget.spring.boot;

import io.tokenbudget.core.http.RefusalAnswer;
import java.nio.charset.StandardCharsets;

/** What a refusal is in a stream of server-sent events that has begun: its last event. Stateless. */
final class RefusalEvents {
    private RefusalEvents() {}

    /** {@code event: error} with the problem document as its data. */
    static byte[] event(RefusalAnswer answer) {
        return ("event: error\ndata: " + answer.body() + "\n\n").getBytes(StandardCharsets.UTF_8);
    }
}
