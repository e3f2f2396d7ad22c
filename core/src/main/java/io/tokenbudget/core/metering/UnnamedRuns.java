package io.tokenbudget.core.metering;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Runs that nobody has named. Nobody can join one of them by its name either, so it has ended when nothing of it is left:
 * no call, no stream, no thread that works for it, no task that waits. Then its budgets may leave memory.
 *
 * <p>Thread-safe: a concurrent set, and the queue that the garbage collector fills.
 */
final class UnnamedRuns {
    private final Set<Reference<?>> known = ConcurrentHashMap.newKeySet();
    private final ReferenceQueue<Object> over = new ReferenceQueue<>();

    private static final class Named extends WeakReference<Object> {
        private final String id;

        Named(Object identity, ReferenceQueue<Object> over, String id) {
            super(identity, over);
            this.id = id;
        }
    }

    void add(Object identity, String id) {
        known.add(new Named(identity, over, id));
    }

    /** Tells {@code end} of at most {@code most} runs that are over, each once. */
    void forget(int most, Consumer<String> end) {
        for (int i = 0; i < most; i++) {
            Reference<?> reference = over.poll();
            if (reference == null) {
                return;
            }
            known.remove(reference);
            if (reference instanceof Named run) {
                end.accept(run.id);
            }
        }
    }
}
