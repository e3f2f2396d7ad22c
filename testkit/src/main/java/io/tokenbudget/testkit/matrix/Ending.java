package io.tokenbudget.testkit.matrix;

import java.time.Duration;

/** The ways in which one call can end. */
enum Ending {
    OK("ok", Booking.TO_THE_TOKEN),
    CACHED_INPUT("ok-cached", Booking.TO_THE_TOKEN),
    REASONING("ok-reasoning", Booking.TO_THE_TOKEN),
    CUT_SHORT_BY_THE_BOUND("long", Booking.TO_THE_TOKEN),
    USAGE_MISSING("no-usage", Booking.ESTIMATED),
    ZERO_USAGE("zero-usage", Booking.ESTIMATED),
    BAD_REQUEST("error-400", Booking.NOTHING),
    UNAUTHORIZED("error-401", Booking.NOTHING),
    TOO_MANY_REQUESTS("error-429", Booking.NOTHING),
    SERVER_ERROR("error-500", Booking.NOTHING),
    OVERLOADED("error-503", Booking.NOTHING),
    FILTERED("content-filter", Booking.TO_THE_TOKEN_OR_INPUT),
    REFUSED_BY_THE_MODEL("refusal", Booking.TO_THE_TOKEN_OR_INPUT),
    NO_CHOICES("zero-choices", Booking.TO_THE_TOKEN_OR_INPUT),
    GARBAGE("garbage", Booking.INPUT_ESTIMATED),
    CUT_CONNECTION("cut-after-3", Booking.INPUT_ESTIMATED),
    TIME_OUT("timeout-input", Booking.INPUT_ESTIMATED);

    /** Enough for a request to reach the provider, which waits for longer than that anyway. */
    static final Duration SOON = Duration.ofMillis(500);

    final String scenario;
    final Booking booking;

    Ending(String scenario, Booking booking) {
        this.scenario = scenario;
        this.booking = booking;
    }

    Duration timeout() {
        return this == TIME_OUT ? SOON : Duration.ofSeconds(20);
    }
}
