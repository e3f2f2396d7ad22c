package io.tokenbudget.core.memory;

import io.tokenbudget.core.spi.Window;

/**
 * What has been used in a window up to now. Not thread-safe; guarded by the ledger's lock. Times are milliseconds of the
 * ledger's clock and never go back.
 */
abstract class UsedCounter {
    /** A time that never comes. */
    static final long NEVER = Long.MAX_VALUE;

    static UsedCounter of(Window window) {
        if (window instanceof Window.Rolling rolling) {
            return new RollingCounter(rolling.length().toMillis());
        }
        if (window instanceof Window.Calendar calendar) {
            return new CalendarCounter(calendar);
        }
        return new LifetimeCounter();
    }

    /** What is used at {@code now}. */
    abstract long used(long now);

    /** Books {@code amount} at {@code now}. */
    abstract void add(long now, long amount);

    /** How many steps down are ahead at {@code now}. */
    abstract int steps(long now);

    /** When step {@code i} happens, rising with {@code i}. */
    abstract long stepAt(int i);

    /** How much leaves the window at step {@code i}. */
    abstract long stepAmount(int i);

    /** When all that is used at {@code now} will have left the window, or {@link #NEVER}. */
    long emptyAt(long now) {
        int steps = steps(now);
        return steps == 0 ? (used(now) == 0 ? now : NEVER) : stepAt(steps - 1);
    }
}
