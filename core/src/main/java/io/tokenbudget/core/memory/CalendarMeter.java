package io.tokenbudget.core.memory;

import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.Window;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.TemporalAdjusters;

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
            end = endOfPeriod(now);
        }
    }

    private long endOfPeriod(long now) {
        LocalDate today = LocalDate.ofInstant(Instant.ofEpochMilli(now), window.zone());
        LocalDate next = switch (window.period()) {
            case DAY -> today.plusDays(1);
            case WEEK -> today.with(TemporalAdjusters.next(DayOfWeek.MONDAY));
            case MONTH -> today.with(TemporalAdjusters.firstDayOfNextMonth());
        };
        return next.atStartOfDay(window.zone()).toInstant().toEpochMilli();
    }
}
