package io.tokenbudget.core.metering;

import org.jspecify.annotations.Nullable;

/**
 * Counts the output of one stream, of which each piece may be less than a token. Thread-safe: one sum, guarded by the
 * counter itself.
 */
public final class OutputCounter {
    private static final long THOUSAND = 1000;

    private long thousandths;

    /**
     * Adds a piece.
     *
     * @return by how many whole tokens the estimate of all pieces together has grown
     */
    public synchronized long add(@Nullable CharSequence piece) {
        long before = whole();
        thousandths += TextTokens.thousandths(piece);
        return whole() - before;
    }

    private long whole() {
        return (thousandths + THOUSAND - 1) / THOUSAND;
    }
}
