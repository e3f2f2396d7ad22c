package io.tokenbudget.core.estimates;

import java.lang.ref.SoftReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Loads vocabularies in the background, each once, when a model first needs it. A vocabulary takes a quarter of a second of
 * a processor to load and up to 30 MB of heap, so nobody waits for it, it is held softly (a heap that runs full takes it
 * back, and it is not loaded again), and a heap of less than 256 MB, or with less than 128 MB left, never
 * gets one.
 *
 * <p>Thread-safe. The map is static because a vocabulary is the same for everybody in this class loader: a second limiter
 * must not load another 30 MB. An entry only ever goes from none to loading to loaded or missing.
 */
final class Vocabularies {
    private static final long SMALLEST_HEAP = 256L << 20;

    /** Loading needs more for a moment than the vocabulary takes in the end. */
    private static final long SMALLEST_ROOM = 128L << 20;

    private static final Map<Vocabulary, SoftReference<ToIntFunction<String>>> LOADED = new ConcurrentHashMap<>();

    /** Stands in for a vocabulary that is not loaded yet, or cannot be. */
    private static final SoftReference<ToIntFunction<String>> NONE = new SoftReference<>(null);

    private Vocabularies() {}

    /** Counts the tokens of a text exactly; null while that cannot be done, which is never waited for. */
    static @Nullable ToIntFunction<String> counter(Vocabulary vocabulary) {
        SoftReference<ToIntFunction<String>> present = LOADED.get(vocabulary);
        if (present != null) {
            return present.get();
        }
        if (LOADED.putIfAbsent(vocabulary, NONE) == null && hasRoom()) {
            load(vocabulary);
        }
        return null;
    }

    private static boolean hasRoom() {
        Runtime heap = Runtime.getRuntime();
        long free = heap.maxMemory() - heap.totalMemory() + heap.freeMemory();
        return heap.maxMemory() >= SMALLEST_HEAP && free >= SMALLEST_ROOM;
    }

    private static void load(Vocabulary vocabulary) {
        // Inherits nothing of the application's thread, neither its context loader nor its inheritable thread locals.
        Thread thread = new Thread(null, () -> fill(vocabulary), "token-budget-vocabulary", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            log(noThread);
        }
    }

    private static void fill(Vocabulary vocabulary) {
        try {
            LOADED.put(vocabulary, new SoftReference<>(JtokkitCounter.load(vocabulary)));
        } catch (LinkageError | RuntimeException | OutOfMemoryError missing) {
            log(missing);
        }
    }

    /** Without a vocabulary everything is counted by calibrated length, as docs/estimates.md says. */
    private static void log(Throwable missing) {
        System.getLogger("io.tokenbudget").log(System.Logger.Level.DEBUG, "no exact counting", missing);
    }
}
