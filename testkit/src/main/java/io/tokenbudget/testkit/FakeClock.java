package io.tokenbudget.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until a test moves it. Thread-safe. */
public final class FakeClock implements InstantSource {
    private final AtomicLong millis;

    /** A clock that shows {@code start}. */
    public FakeClock(Instant start) {
        this.millis = new AtomicLong(start.toEpochMilli());
    }

    /** A clock that shows the first moment of 2026, in UTC. */
    public static FakeClock atNewYear() {
        return new FakeClock(Instant.parse("2026-01-01T00:00:00Z"));
    }

    /** Moves the clock; backwards too, as real ones do. */
    public void advance(Duration by) {
        millis.addAndGet(by.toMillis());
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis.get());
    }

    @Override
    public long millis() {
        return millis.get();
    }
}
