package io.tokenbudget.core.metering;

import io.tokenbudget.core.config.IdentitySource;
import org.jspecify.annotations.Nullable;

/**
 * What the application that a class loader is of says on a thread of its caller: by its SLF4J diagnostic context and its
 * OpenTelemetry baggage. Thread-safe.
 */
public final class ThreadValues {
    private final Mdc mdc;
    private final Baggage baggage;

    private ThreadValues(Mdc mdc, Baggage baggage) {
        this.mdc = mdc;
        this.baggage = baggage;
    }

    /** @param loader null for one that sees neither */
    public static ThreadValues seenBy(@Nullable ClassLoader loader) {
        return new ThreadValues(Mdc.seenBy(loader), Baggage.seenBy(loader));
    }

    /** The value on this thread at a source of the kinds {@code MDC} and {@code BAGGAGE}; null if there is none. */
    public @Nullable String value(IdentitySource source) {
        return switch (source.kind()) {
            case MDC -> mdc.get(source.name());
            case BAGGAGE -> baggage.get(source.name());
            default -> null;
        };
    }

    /** Whether the logging backend keeps no diagnostic context, so that nothing is found there ever. */
    public boolean dropsMdc() {
        return mdc.isDropped();
    }
}
