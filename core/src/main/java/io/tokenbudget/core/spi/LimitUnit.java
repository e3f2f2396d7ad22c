package io.tokenbudget.core.spi;

import java.util.Locale;

/** What a limit counts. */
public enum LimitUnit {
    /** Input and output tokens together. */
    TOKENS,
    /** Input tokens. */
    INPUT_TOKENS,
    /** Output tokens. */
    OUTPUT_TOKENS,
    /** Money, in nano-USD. */
    USD,
    /** Calls that were not refunded. */
    REQUESTS,
    /** Calls, refunded or not: booked at the reserve and never given back. */
    ATTEMPTS,
    /** Reservations held at the same time. */
    CONCURRENT;

    private final String text = name().toLowerCase(Locale.ROOT).replace('_', ' ');

    /** As the configuration and the status write it: {@code input tokens}. */
    @Override
    public String toString() {
        return text;
    }
}
