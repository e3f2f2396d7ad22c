package io.tokenbudget.core.spi;

/**
 * An amount of one unit over one window.
 *
 * @param amount the most that may be used and held: up to {@link #MAX_AMOUNT}, or {@link #UNLIMITED}
 * @param unit what is counted
 * @param window over which time; {@link Window.Lifetime} for {@link LimitUnit#CONCURRENT}
 * @param text as the configuration writes it, such as {@code 100k tokens per 1h}
 */
public record Limit(long amount, LimitUnit unit, Window window, String text) {
    /** The largest amount, 2^53-1: every store and every JSON reader keeps it exactly. */
    public static final long MAX_AMOUNT = (1L << 53) - 1;

    /** The amount of a limit that never refuses but still counts. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    /**
     * @throws IllegalArgumentException if the amount is negative or larger than {@link #MAX_AMOUNT}
     */
    public Limit {
        if (amount < 0 || (amount > MAX_AMOUNT && amount != UNLIMITED)) {
            throw new IllegalArgumentException(
                    "A limit's amount must lie between 0 and " + MAX_AMOUNT + ", not " + amount);
        }
    }

    /** Whether it never refuses. */
    public boolean unlimited() {
        return amount == UNLIMITED;
    }
}
