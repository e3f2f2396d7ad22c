package io.tokenbudget.core.memory;

import org.jspecify.annotations.Nullable;

/** An element of an {@link ExpiryQueue}, linked by its own fields. In at most one queue at a time. */
abstract class ExpiryNode {
    /** When it is due, in milliseconds of the ledger's clock. */
    long expiresAt;

    /** Breaks ties between equal expiries. */
    long sequence;

    @Nullable
    ExpiryNode previous;

    @Nullable
    ExpiryNode next;

    boolean outOfLine;
}
