package io.tokenbudget.core.spi;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;

/** The time over which a limit counts what is used. */
public sealed interface Window {

    /** Usage counts until {@code length} has passed since it was booked. */
    record Rolling(Duration length) implements Window {
        /**
         * @throws IllegalArgumentException if {@code length} is not a positive whole number of milliseconds
         */
        public Rolling {
            if (length.isNegative() || length.isZero() || !length.equals(Duration.ofMillis(length.toMillis()))) {
                throw new IllegalArgumentException(
                        "A rolling window must be a positive whole number of milliseconds, not " + length);
            }
        }

        /** As the configuration writes it, in the largest unit that divides it: {@code 90s}, {@code 1h}. */
        @Override
        public String toString() {
            long millis = length.toMillis();
            if (millis % 86_400_000 == 0) {
                return millis / 86_400_000 + "d";
            }
            if (millis % 3_600_000 == 0) {
                return millis / 3_600_000 + "h";
            }
            if (millis % 60_000 == 0) {
                return millis / 60_000 + "m";
            }
            return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
        }
    }

    /** Usage counts until the present day, week (from Monday) or month ends in {@code zone}. */
    record Calendar(Period period, ZoneId zone) implements Window {
        /** A stretch of the calendar. */
        public enum Period {
            /** From midnight to midnight. */
            DAY,
            /** From Monday to Sunday. */
            WEEK,
            /** From the first of the month to its last day. */
            MONTH
        }

        /** When the stretch ends that {@code millis} lies in; both are milliseconds since 1970. */
        public long endAfter(long millis) {
            LocalDate today = LocalDate.ofInstant(Instant.ofEpochMilli(millis), zone);
            LocalDate next = switch (period) {
                case DAY -> today.plusDays(1);
                case WEEK -> today.with(TemporalAdjusters.next(DayOfWeek.MONDAY));
                case MONTH -> today.with(TemporalAdjusters.firstDayOfNextMonth());
            };
            return next.atStartOfDay(zone).toInstant().toEpochMilli();
        }

        /** As the configuration writes it: {@code calendar day}. */
        @Override
        public String toString() {
            return switch (period) {
                case DAY -> "calendar day";
                case WEEK -> "calendar week";
                case MONTH -> "calendar month";
            };
        }
    }

    /** Usage counts for as long as the scope lives: the run for {@code run}, the process for every other. */
    record Lifetime() implements Window {
        /** The only value there need be. */
        public static final Lifetime INSTANCE = new Lifetime();
    }
}
