package io.tokenbudget.core.metering;

import java.lang.ref.WeakReference;

/**
 * Which answers, and which exceptions instead of one, have been booked, and for which model. By identity, and only for
 * as long as the application keeps them itself. Thread-safe.
 */
final class SettledAnswers {
    private static final int DEEPEST_CAUSE = 32;

    private final WeakIdentityMap<WeakReference<Object>> targets = new WeakIdentityMap<>();

    void add(Object answer, Object target) {
        targets.put(answer, new WeakReference<>(target));
    }

    /** Whether {@code answer} was booked for any model. */
    boolean isSettled(Object answer) {
        return targets.get(answer) != null;
    }

    /** Whether {@code answer} was booked for another model than {@code target}. */
    boolean isOfAnother(Object answer, Object target) {
        WeakReference<Object> owner = targets.get(answer);
        return owner != null && owner.get() != target;
    }

    /** Remembers a failure, unless it may be one of those that are thrown again and again. */
    void add(Throwable thrown, Object target) {
        if (thrown.getStackTrace().length > 0) {
            add((Object) thrown, target);
        }
    }

    /** Whether {@code thrown} or one of its causes was booked for another model than {@code target}. */
    boolean isOfAnother(Throwable thrown, Object target) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (isOfAnother((Object) cause, target)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}
