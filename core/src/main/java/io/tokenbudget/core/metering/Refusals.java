package io.tokenbudget.core.metering;

import io.tokenbudget.LimitExceededException;
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

    /** What the application gets when a stream is cut of which so many tokens have flowed. */
    RuntimeException cutOff(LimitExceededException refused, long flowed, @Nullable Run run) {
        return toThrow(
                new LimitExceededException(
                        "the answer was cut off after " + flowed + " tokens: " + refused.getMessage(),
                        refused.scope(),
                        refused.limit(),
                        refused.requested(),
                        refused.remaining(),
                        refused.retryAfter(),
                        refused.reason()),
                run);
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
