package io.tokenbudget.core.config;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as users write them: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 1h}, {@code 7d}. */
final class DurationText {
    /** What an error offers. */
    static final String ALLOWED = "a duration such as 30s, 5m, 1h or 7d";

    private static final Pattern FORM = Pattern.compile("(\\d{1,15})(ms|s|m|h|d)");
    private static final Duration LONGEST = Duration.ofDays(3650);

    private DurationText() {}

    /**
     * @return more than zero, at most ten years
     * @throws InvalidValueException if it is anything else
     */
    static Duration parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw InvalidValueException.notAllowed(text, ALLOWED);
        }
        long count = Long.parseLong(form.group(1));
        ChronoUnit unit = unit(form.group(2));
        if (count == 0) {
            throw InvalidValueException.notAllowed(text, "more than zero");
        }
        if (count > LONGEST.toMillis() / unit.getDuration().toMillis()) {
            throw InvalidValueException.notAllowed(text, "at most 3650d");
        }
        return Duration.of(count, unit);
    }

    private static ChronoUnit unit(String suffix) {
        return switch (suffix) {
            case "ms" -> ChronoUnit.MILLIS;
            case "s" -> ChronoUnit.SECONDS;
            case "m" -> ChronoUnit.MINUTES;
            case "h" -> ChronoUnit.HOURS;
            default -> ChronoUnit.DAYS;
        };
    }

    /** In the largest unit that divides it: {@code 90s}, {@code 1h}. */
    static String format(Duration duration) {
        long millis = duration.toMillis();
        for (String suffix : new String[] {"d", "h", "m", "s"}) {
            long unit = unit(suffix).getDuration().toMillis();
            if (millis % unit == 0) {
                return millis / unit + suffix;
            }
        }
        return millis + "ms";
    }
}
