package io.tokenbudget.core.spi;

import java.math.BigDecimal;

/** Nano-USD as people read them. Stateless. */
public final class Money {
    private static final int DIGITS_OF_A_NANO = 9;

    private Money() {}

    /** A decimal number of USD without trailing zeros, exact: {@code 0.0125} of 12,500,000. */
    public static String decimal(long nanoUsd) {
        return nanoUsd == 0
                ? "0"
                : BigDecimal.valueOf(nanoUsd, DIGITS_OF_A_NANO)
                        .stripTrailingZeros()
                        .toPlainString();
    }

    /** The same with a dollar sign: {@code $0.0125}. */
    public static String text(long nanoUsd) {
        return nanoUsd < 0 ? "-$" + decimal(-nanoUsd) : '$' + decimal(nanoUsd);
    }
}
