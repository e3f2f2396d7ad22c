package io.tokenbudget.core.metering;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Names runs that nobody has named: {@code 5k2p9d4q-17}, unlike those of any other process. Thread-safe: one atomic. */
final class RunIds {
    private static final int RADIX = 36;

    private final String process = Long.toString(ThreadLocalRandom.current().nextLong() >>> 1, RADIX) + '-';
    private final AtomicLong last = new AtomicLong();

    String next() {
        return process + last.incrementAndGet();
    }

    /** Names a part of the run {@code outer}: {@code 5k2p9d4q-17.18}. */
    String inside(@Nullable String outer) {
        return outer == null ? next() : outer + '.' + last.incrementAndGet();
    }
}
