package io.tokenbudget.core.http;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.metering.CallMeter;
import java.net.http.HttpClient;
import org.jspecify.annotations.Nullable;

/**
 * What requests to other services say of the run that they are made for: {@link ContextHeader}, to hosts that {@code
 * http.send-context-to} names alone. Thread-safe; no method throws.
 */
public final class OutgoingContext {
    private final CallMeter meter;

    /** @param meter knows for whom a thread works, and what is configured */
    public OutgoingContext(CallMeter meter) {
        this.meter = meter;
    }

    /** Whether any host is told anything. */
    public boolean isSent() {
        return !meter.settings().http().sendContextTo().isEmpty();
    }

    /**
     * {@code builder} whose clients say who calls in the requests that a thread makes with them; for the JDK's own client, and what
     * is built on it.
     */
    public HttpClient.Builder with(HttpClient.Builder builder) {
        return new TellingClient.Builder(builder, this);
    }

    /**
     * The value of {@link ContextHeader#NAME} in a request that this thread makes.
     *
     * @param host whom the request is for; null if it has none
     * @return null if it is to have none: the host is not to be told, or nothing is known
     */
    public @Nullable String to(@Nullable String host) {
        return to(host, null);
    }

    /**
     * The same where Reactor carries who calls.
     *
     * @param carried what is found under {@link BudgetContext#KEY}, which comes before what is known of this thread
     */
    public @Nullable String to(@Nullable String host, @Nullable Object carried) {
        if (host == null || !meter.settings().http().sendsContextTo(host)) {
            return null;
        }
        BudgetContext caller = meter.caller(carried);
        String value = caller == null
                ? ""
                : ContextHeader.of(caller, meter.reservation()).format();
        return value.isEmpty() ? null : value;
    }
}
