package io.tokenbudget.core.memory;

import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.Window;

/** A day, week or month of a time zone's calendar: all that is used leaves at its end. */
final class CalendarMeter extends Meter {
    private final Window.Calendar window;
    private long used;
    private long end = Long.MIN_VALUE;

    CalendarMeter(Limit limit, Window.Calendar window) {
        super(limit);
        this.window = window;
    }

    @Override
    long used(long now) {
        roll(now);
        return used;
    }

    @Override
    void add(long now, long amount) {
        roll(now);
        used = Amounts.add(used, amount);
    }

    @Override
    int steps(long now) {
        roll(now);
        return used == 0 ? 0 : 1;
    }

    @Override
    long stepAt(int i) {
        return end;
    }

    @Override
    long stepAmount(int i) {
        return used;
    }

    private void roll(long now) {
        if (now >= end) {
            used = 0;
            end = window.endAfter(now);
        }
    }
}
