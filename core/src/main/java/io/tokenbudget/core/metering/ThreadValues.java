package io.tokenbudget.core.metering;

import io.tokenbudget.core.config.IdentitySource;
import org.jspecify.annotations.Nullable;

/**
 * What the application that a class loader is of says on a thread of its caller: by its SLF4J diagnostic context and its
 * OpenTelemetry baggage. Thread-safe.
 */
public final class ThreadValues {
    /** Under which the id of the reservation of the call that a thread makes stands in the diagnostic context. */
    public static final String RESERVATION = "token-budget.reservation";

    /** The same as an attribute of the span. */
    static final String SPAN_ATTRIBUTE = "token_budget.reservation";

    private final Mdc mdc;
    private final Baggage baggage;
    private final Span span;

    private ThreadValues(Mdc mdc, Baggage baggage, Span span) {
        this.mdc = mdc;
        this.baggage = baggage;
        this.span = span;
    }

    /** @param loader null for one that sees neither */
    public static ThreadValues seenBy(@Nullable ClassLoader loader) {
        return new ThreadValues(Mdc.seenBy(loader), Baggage.seenBy(loader), Span.seenBy(loader));
    }

    /** The value on this thread at a source of the kinds {@code MDC} and {@code BAGGAGE}; null if there is none. */
    public @Nullable String value(IdentitySource source) {
        return switch (source.kind()) {
            case MDC -> mdc.get(source.name());
            case BAGGAGE -> baggage.get(source.name());
            default -> null;
        };
    }

    /**
     * Says on this thread which reservation is held for the call that it makes: in the diagnostic context, and on the current
     * span, where an earlier one stays.
     *
     * @param reservation null for none
     * @return what the diagnostic context had before
     */
    public @Nullable String reservation(@Nullable String reservation) {
        String before = mdc.get(RESERVATION);
        mdc.set(RESERVATION, reservation);
        if (reservation != null) {
            span.set(SPAN_ATTRIBUTE, reservation);
        }
        return before;
    }

    /** Whether the logging backend keeps no diagnostic context, so that nothing is found there ever. */
    public boolean dropsMdc() {
        return mdc.isDropped();
    }
}
