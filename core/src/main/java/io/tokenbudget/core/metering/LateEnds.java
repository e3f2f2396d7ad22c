package io.tokenbudget.core.metering;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Ends of calls for which no stack was left where they came: the next call of any thread does them, or the report. At most
 * one for each open call. Thread-safe: one concurrent queue.
 */
final class LateEnds {
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    LateEnds() {
        // Loads what is needed at the edge of a stack, where nothing can be loaded.
        add(() -> {});
        run();
        StackRoom.require();
    }

    void add(Runnable end) {
        waiting.add(end);
    }

    /** Does what waits. What an end throws is its own to report. */
    void run() {
        if (!waiting.isEmpty()) {
            for (Runnable end = waiting.poll(); end != null; end = waiting.poll()) {
                end.run();
            }
        }
    }
}
