package io.tokenbudget.core.metering;

import io.tokenbudget.LimitExceededException;
import org.jspecify.annotations.Nullable;

/** Finds refusals by what they are called: what an application gets may be its own class of that name. */
final class Refusals {
    private static final String NAME = LimitExceededException.class.getName();
    private static final int DEEPEST_CAUSE = 32;

    private Refusals() {}

    static @Nullable RuntimeException among(@Nullable Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof RuntimeException refusal && isRefusal(refusal.getClass())) {
                return refusal;
            }
            cause = cause.getCause();
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
