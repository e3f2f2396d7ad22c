package io.tokenbudget.core.memory;

import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.Window;
import org.jspecify.annotations.Nullable;

/**
 * One limit of an account and what has been used of it in its window up to now. Not thread-safe; guarded by the ledger's
 * lock. Times are milliseconds of the ledger's clock and never go back.
 */
abstract class Meter {
    /** A time that never comes. */
    static final long NEVER = Long.MAX_VALUE;

    Limit limit;

    /** Whether the limit is one of the caller's: another one's is counted and never refuses. */
    boolean inForce = true;

    /** The next limit of the account. */
    @Nullable
    Meter next;

    Meter(Limit limit) {
        this.limit = limit;
    }

    static Meter of(Limit limit) {
        if (limit.window() instanceof Window.Rolling rolling) {
            return new RollingMeter(limit, rolling.length().toMillis());
        }
        if (limit.window() instanceof Window.Calendar calendar) {
            return new CalendarMeter(limit, calendar);
        }
        return new LifetimeMeter(limit);
    }

    /** Whether it counts what {@code other} limits. */
    final boolean isFor(Limit other) {
        return limit.unit() == other.unit() && limit.window().equals(other.window());
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
    final long emptyAt(long now) {
        int steps = steps(now);
        return steps == 0 ? (used(now) == 0 ? now : NEVER) : stepAt(steps - 1);
    }

    /** Whether {@code amount} more fits now, beside {@code held}. */
    final boolean fits(long now, long held, long amount) {
        if (!inForce || limit.unlimited()) {
            return true;
        }
        long room = room(now, held);
        return room >= 0 && room >= amount;
    }

    /** Limit less used and held, at least zero. */
    final long remaining(long now, long held) {
        return !inForce || limit.unlimited() ? Limit.UNLIMITED : Math.max(0, room(now, held));
    }

    /** Limit less used and held; negative if overdrawn. Cannot wrap: all three are at least zero. */
    private long room(long now, long held) {
        long unused = limit.amount() - used(now);
        return unused < 0 ? unused : unused - held;
    }

    /**
     * The earliest time at which {@code amount} more fits if no hold is ended before its expiry; {@link #NEVER} if that
     * never comes.
     *
     * <p>Walks the steps down of the window and the expiries of the holds together, in the order of time, and stops as
     * soon as the amount fits: as far as the request is large, not as far as there are holds.
     *
     * @param staying the hold that is to grow, whose own end makes no room for it; {@link Holds#NONE} for a new one
     */
    final long fitsAt(long now, Account account, Holds holds, long amount, int staying) {
        LimitUnit unit = limit.unit();
        int steps = steps(now);
        ExpiryList.Cursor cursor = account.lines.cursor();
        int line = cursor.next();
        long used = used(now);
        long held = account.held(unit);
        int step = 0;
        long time = now;
        while (used > limit.amount() || limit.amount() - used - held < amount) {
            long stepAt = step < steps ? stepAt(step) : NEVER;
            int hold = line == Holds.NONE ? Holds.NONE : account.lines.hold(line);
            long holdAt = hold == Holds.NONE ? NEVER : holds.expiresAt(hold);
            if (stepAt == NEVER && holdAt == NEVER) {
                return NEVER;
            }
            if (stepAt <= holdAt) {
                used = Math.max(0, used - stepAmount(step++));
                time = stepAt;
            } else {
                if (hold != staying) {
                    held -= holds.amount(hold, unit);
                    time = holdAt;
                }
                line = cursor.next();
            }
        }
        return time;
    }
}
