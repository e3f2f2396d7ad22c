package io.tokenbudget.core.metering;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which answers, and which exceptions instead of one, have been booked, and for which model. By identity, and only for
 * as long as the application keeps them itself. Thread-safe: a concurrent map of weak keys, cleared from their reference queue.
 */
final class SettledAnswers {
    private static final int DEEPEST_CAUSE = 32;

    private final Map<Key, WeakReference<Object>> targets = new ConcurrentHashMap<>();
    private final ReferenceQueue<Object> gone = new ReferenceQueue<>();

    void add(Object answer, Object target) {
        for (Reference<?> cleared = gone.poll(); cleared != null; cleared = gone.poll()) {
            targets.remove(cleared);
        }
        targets.put(new Key(answer, gone), new WeakReference<>(target));
    }

    /** Whether {@code answer} was booked for any model. */
    boolean isSettled(Object answer) {
        return targets.containsKey(new Key(answer, null));
    }

    /** Whether {@code answer} was booked for another model than {@code target}. */
    boolean isOfAnother(Object answer, Object target) {
        WeakReference<Object> owner = targets.get(new Key(answer, null));
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

    private static final class Key extends WeakReference<Object> {
        private final int hash;

        Key(Object answer, @Nullable ReferenceQueue<Object> queue) {
            super(answer, queue);
            this.hash = System.identityHashCode(answer);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            Object mine = get();
            return mine != null && other instanceof Key key && mine == key.get();
        }
    }
}
