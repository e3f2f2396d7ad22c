package io.tokenbudget.core.metering;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.RefusalReason;
import io.tokenbudget.core.config.LimitParser;
import io.tokenbudget.core.spi.RefusalText;
import io.tokenbudget.core.spi.Window;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What refusals become: the exceptions that the application gets, and how they are found again. They are known by what they
 * are called, since what an application gets may be its own class of that name. Thread-safe.
 */
final class Refusals {
    private static final String NAME = LimitExceededException.class.getName();

    private final Metering metering;
    private final Callers callers;
    private final RefusalFactory factory;
    private final RefusalTexts texts = new RefusalTexts();

    Refusals(Metering metering, Callers callers, RefusalFactory factory) {
        this.metering = metering;
        this.callers = callers;
        this.factory = factory;
    }

    /** What the application gets, which is found again by its text. */
    RuntimeException toThrow(LimitExceededException refused, @Nullable Run run) {
        RuntimeException refusal = refused;
        try {
            refusal = factory.toThrow(refused);
        } catch (Throwable fault) {
            metering.fault("making the exception of a refusal", fault);
        }
        texts.add(refusal, refused, run, now());
        return refusal;
    }

    /**
     * What the application gets when a stream is cut of which so many tokens have flowed. What the ledger refuses is the rest
     * of this stream; what the application may want to know is when a new call has a chance.
     */
    RuntimeException cutOff(LimitExceededException refused, long flowed, @Nullable Run run) {
        Duration wait = waitOfANewCall(refused);
        String advice = wait == null ? "waiting will not help" : "try again in " + RefusalText.wait(wait);
        return toThrow(
                new LimitExceededException(
                        "the answer was cut off after " + flowed + (flowed == 1 ? " token: " : " tokens: ")
                                + RefusalText.scope(refused.scope()) + " has used up its " + refused.limit() + "; "
                                + advice,
                        refused.scope(),
                        refused.limit(),
                        refused.requested(),
                        refused.remaining(),
                        wait,
                        wait == null ? refused.reason() : RefusalReason.LIMIT_REACHED),
                run);
    }

    /** A stream that alone was more than its limit leaves no room until all of it has left the window. */
    private @Nullable Duration waitOfANewCall(LimitExceededException refused) {
        if (refused.reason() != RefusalReason.NEVER_FITS) {
            return refused.retryAfter();
        }
        Window window = LimitParser.parse(
                        refused.limit(), metering.limiter.settings().zone())
                .window();
        if (window instanceof Window.Rolling rolling) {
            return rolling.length();
        }
        return window instanceof Window.Calendar calendar ? Duration.ofMillis(calendar.endAfter(now()) - now()) : null;
    }

    /** The refusal whose message {@code text} is or contains, or null. */
    @Nullable
    RuntimeException in(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            Run run = callers.run();
            return texts.find(text, run, now(), () -> callers.context(run));
        } catch (Throwable fault) {
            metering.fault("looking for a refusal in a text", fault);
            return null;
        }
    }

    private long now() {
        return metering.limiter.clock().millis();
    }

    static @Nullable RuntimeException among(@Nullable Throwable thrown) {
        for (Throwable cause : Causes.of(thrown)) {
            if (cause instanceof RuntimeException refusal && isRefusal(refusal.getClass())) {
                return refusal;
            }
        }
        return null;
    }

    private static boolean isRefusal(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (each.getName().equals(NAME)) {
                return true;
            }
        }
        return false;
    }
}
