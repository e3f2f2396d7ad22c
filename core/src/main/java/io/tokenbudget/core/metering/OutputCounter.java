package io.tokenbudget.core.metering;

import io.tokenbudget.core.estimates.TextLength;
import org.jspecify.annotations.Nullable;

/**
 * Counts the output of one stream, of which each piece may be less than a token. Thread-safe: one sum, guarded by the
 * counter itself.
 */
public final class OutputCounter {
    private final TextLength length;

    /** For a model of which nothing is known. */
    public OutputCounter() {
        this(new TextLength());
    }

    OutputCounter(TextLength length) {
        this.length = length;
    }

    /**
     * Adds a piece.
     *
     * @return by how many whole tokens the estimate of all pieces together has grown
     */
    public synchronized long add(@Nullable CharSequence piece) {
        long before = length.tokens();
        length.read(piece);
        return length.tokens() - before;
    }
}
