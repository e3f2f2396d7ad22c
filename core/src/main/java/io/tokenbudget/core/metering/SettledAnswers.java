package io.tokenbudget.core.metering;

import io.tokenbudget.Usage;
import java.lang.ref.WeakReference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which answers, and which exceptions instead of one, have been booked, and for which model. By identity, and only for
 * as long as the application keeps them itself. Thread-safe.
 */
final class SettledAnswers {
    private final Metering metering;
    private final WeakIdentityMap<WeakReference<Object>> targets = new WeakIdentityMap<>();

    SettledAnswers(Metering metering) {
        this.metering = metering;
    }

    /** Remembers an answer, or a failure, unless that may be one of those that are thrown again and again. */
    void add(Object answer, Object target) {
        if (answer instanceof Throwable thrown && isThrownAgainAndAgain(thrown)) {
            return;
        }
        targets.put(answer, new WeakReference<>(target));
    }

    /** A JVM throws its own errors again, and has no room to be asked for their trace. */
    private boolean isThrownAgainAndAgain(Throwable thrown) {
        if (thrown instanceof VirtualMachineError) {
            return true;
        }
        try {
            return thrown.getStackTrace().length == 0;
        } catch (Throwable itsOwn) {
            metering.fault("remembering a failure", itsOwn);
            return true;
        }
    }

    /** Whether one of {@code parts} was booked for another model than {@code target}. */
    boolean anyIsOfAnother(List<Object> parts, Object target) {
        for (Object part : parts) {
            if (isOfAnother(part, target)) {
                return true;
            }
        }
        return false;
    }

    /** Whether {@code answer}, or one of its causes if it is a failure, was booked for another model than {@code target}. */
    boolean isOfAnother(@Nullable Object answer, Object target) {
        if (answer instanceof Throwable thrown) {
            for (Throwable cause : Causes.of(thrown)) {
                if (wasBookedForAnother(cause, target)) {
                    return true;
                }
            }
            return false;
        }
        return answer != null && wasBookedForAnother(answer, target);
    }

    private boolean wasBookedForAnother(Object answer, Object target) {
        WeakReference<Object> owner = targets.get(answer);
        return owner != null && owner.get() != target;
    }

    /**
     * Whether a model that was called again inside its own call, by a listener say, has an answer of its own beside those
     * of the inner calls: a subclass that calls its super class has the same answer, or one with the same numbers, or with
     * their sum.
     *
     * @param inner what the inner calls were booked with, or null if there were none
     */
    boolean isOwnBeside(@Nullable InnerUsage inner, @Nullable Usage usage, List<Object> parts) {
        return inner != null
                && usage != null
                && !inner.accountsFor(usage)
                && parts.stream().allMatch(part -> targets.get(part) == null);
    }
}
