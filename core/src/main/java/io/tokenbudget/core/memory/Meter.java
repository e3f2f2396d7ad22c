package io.tokenbudget.core.memory;

import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;

/** One limit of an account and what has been used of it. Guarded by the ledger's lock. */
final class Meter {
    final Limit limit;
    final UsedCounter counter;

    Meter(Limit limit) {
        this(limit, UsedCounter.of(limit.window()));
    }

    Meter(Limit limit, UsedCounter counter) {
        this.limit = limit;
        this.counter = counter;
    }

    /** Whether {@code amount} more fits now, beside {@code held}. */
    boolean fits(long now, long held, long amount) {
        if (limit.unlimited()) {
            return true;
        }
        long room = room(now, held);
        return room >= 0 && room >= amount;
    }

    /** Limit less used and held, at least zero. */
    long remaining(long now, long held) {
        return limit.unlimited() ? Limit.UNLIMITED : Math.max(0, room(now, held));
    }

    /** Limit less used and held; negative if overdrawn. Cannot wrap: all three are at least zero. */
    private long room(long now, long held) {
        long unused = limit.amount() - counter.used(now);
        return unused < 0 ? unused : unused - held;
    }

    /**
     * The earliest time at which {@code amount} more fits if no hold is ended before its expiry;
     * {@link UsedCounter#NEVER} if that never comes.
     *
     * <p>Walks the steps down of the window and the expiries of the holds together, in the order of time, and stops as
     * soon as the amount fits: as far as the request is large, not as far as there are holds.
     */
    long fitsAt(long now, Account account, Holds holds, long amount) {
        LimitUnit unit = limit.unit();
        int steps = counter.steps(now);
        ExpiryList.Cursor cursor = account.lines.cursor();
        int line = cursor.next();
        long used = counter.used(now);
        long held = account.held(unit);
        int step = 0;
        long time = now;
        while (used > limit.amount() || limit.amount() - used - held < amount) {
            long stepAt = step < steps ? counter.stepAt(step) : UsedCounter.NEVER;
            int hold = line == Holds.NONE ? Holds.NONE : account.lines.hold(line);
            long holdAt = hold == Holds.NONE ? UsedCounter.NEVER : holds.expiresAt[hold];
            if (stepAt == UsedCounter.NEVER && holdAt == UsedCounter.NEVER) {
                return UsedCounter.NEVER;
            }
            if (stepAt <= holdAt) {
                used = Math.max(0, used - counter.stepAmount(step++));
                time = stepAt;
            } else {
                held -= Amounts.held(unit, holds.input[hold], holds.output[hold]);
                time = holdAt;
                line = cursor.next();
            }
        }
        return time;
    }
}
