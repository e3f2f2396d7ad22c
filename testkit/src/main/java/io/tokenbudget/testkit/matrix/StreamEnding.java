package io.tokenbudget.testkit.matrix;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The ways in which one stream can end. */
enum StreamEnding {
    OK("ok", Booking.TO_THE_TOKEN),
    CACHED_INPUT("ok-cached", Booking.TO_THE_TOKEN),
    REASONING("ok-reasoning", Booking.TO_THE_TOKEN),
    CUT_SHORT_BY_THE_BOUND("long", Booking.TO_THE_TOKEN),
    USAGE_MISSING("no-usage", Booking.ESTIMATED),
    ZERO_USAGE("zero-usage", Booking.ESTIMATED),
    FILTERED("content-filter", Booking.TO_THE_TOKEN),
    REFUSED_BY_THE_MODEL("refusal", Booking.TO_THE_TOKEN),
    NO_CHOICES("zero-choices", Booking.TO_THE_TOKEN),
    GARBAGE("garbage", Booking.FLOWED),
    BAD_REQUEST("error-400", Booking.NOTHING),
    UNAUTHORIZED("error-401", Booking.NOTHING),
    TOO_MANY_REQUESTS("error-429", Booking.NOTHING),
    SERVER_ERROR("error-500", Booking.NOTHING),
    OVERLOADED("error-503", Booking.NOTHING),
    ERROR_EVENT_AT_ONCE("error-event-after-0", Booking.FLOWED),
    ERROR_EVENT("error-event-after-9", Booking.FLOWED),
    CUT_CONNECTION_AT_ONCE("cut-after-0", Booking.FLOWED),
    CUT_CONNECTION("cut-after-20", Booking.FLOWED),
    ENDS_AT_ONCE("ends-after-0", Booking.FLOWED),
    ENDS_EARLY("ends-after-9", Booking.FLOWED),
    TIME_OUT("timeout-input", Booking.INPUT_ESTIMATED);

    final String scenario;
    final Booking booking;

    StreamEnding(String scenario, Booking booking) {
        this.scenario = scenario;
        this.booking = booking;
    }

    /**
     * Whether what was sent may be lost on its way: when a connection breaks, HTTP clients throw away what they have
     * received and not yet handed out. So the application sees as much as luck has it, and that much is counted.
     */
    boolean losesPieces() {
        return scenario.startsWith("cut-after-");
    }

    /** Whether what flowed is what the application has seen, and not all that was sent. */
    boolean flowsAsSeen() {
        return losesPieces() || this == GARBAGE;
    }

    /**
     * As much of what the application sees as can be compared with the same call to another model. A client tells of a
     * broken connection in one way if it has read the head of the answer by then and in another if it has not.
     */
    Outcome compared(Seen seen) {
        if (losesPieces()) {
            return seen.signal();
        }
        if (this == TIME_OUT) {
            return seen.ending();
        }
        return this == GARBAGE ? seen.kinds() : seen.outcome();
    }

    /** How many pieces are sent, where the scenario says. */
    int pieces() {
        Matcher number = Pattern.compile(".*-after-(\\d+)").matcher(scenario);
        return number.matches() ? Integer.parseInt(number.group(1)) : 0;
    }

    Duration timeout() {
        return this == TIME_OUT ? Ending.SOON : Duration.ofSeconds(20);
    }
}
