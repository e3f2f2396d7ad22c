package io.tokenbudget.core.metering;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What is known of objects of the application, by identity and only for as long as the application keeps them itself. A
 * value must not refer to its key. Thread-safe: a concurrent map of weak keys, cleared from their reference queue.
 *
 * @param <V> what is known
 */
public final class WeakIdentityMap<V> {
    private final Map<Key, V> values = new ConcurrentHashMap<>();
    private final ReferenceQueue<Object> gone = new ReferenceQueue<>();

    /** Keeps {@code value} for {@code key}, instead of what was kept for it. */
    public void put(Object key, V value) {
        for (Reference<?> cleared = gone.poll(); cleared != null; cleared = gone.poll()) {
            values.remove(cleared);
        }
        values.put(new Key(key, gone), value);
    }

    /** What is kept for {@code key}, or null. */
    public @Nullable V get(Object key) {
        return values.get(new Key(key, null));
    }

    private static final class Key extends WeakReference<Object> {
        private final int hash;

        Key(Object referent, @Nullable ReferenceQueue<Object> queue) {
            super(referent, queue);
            this.hash = System.identityHashCode(referent);
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
