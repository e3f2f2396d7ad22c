package io.tokenbudget.core.config;

import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.Window;
import io.tokenbudget.core.spi.Window.Calendar.Period;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads one limit: {@code <amount> <unit> [per <window>]}, {@code $<amount> [per <window>]}, or {@code unlimited}.
 *
 * <ul>
 *   <li>Words are separated by white space.
 *   <li>An amount is a whole number from 0 to 2^53-1: {@code 250}, {@code 1_000}, {@code 100k}, {@code 1.5M}, {@code 2B}.
 *   <li>An amount of 0 admits nothing.
 *   <li>A unit is {@code tokens}, {@code input tokens}, {@code output tokens}, {@code requests}, {@code attempts} or
 *       {@code concurrent}; the singular is allowed.
 *   <li>An amount of money is one of USD, with at most nine digits behind the point: {@code $40}, {@code $0.50} or {@code 40
 *       usd}.
 *   <li>A rolling window is a whole number of seconds, minutes, hours or days: {@code 30s}, {@code 5m}, {@code 1h},
 *       {@code 7d}, at most 3650 days.
 *   <li>A calendar window is {@code calendar day}, {@code calendar week} or {@code calendar month}.
 *   <li>Without a window, usage counts for the life of the run on {@code run}, of the process on every other scope.
 *   <li>{@code concurrent} takes no window.
 *   <li>{@code unlimited} refuses nothing; the tokens of the last hour are counted all the same.
 * </ul>
 */
public final class LimitParser {
    private static final String FORM =
            "<amount> <unit> [per <window>] such as 100k tokens per 1h, $40 per calendar day, or unlimited";
    private static final String UNITS =
            "the units tokens, input tokens, output tokens, requests, attempts, concurrent, usd;"
                    + " then \"per\" and a window, if any";
    private static final String WINDOWS =
            "the windows calendar day, calendar week, calendar month, or a rolling one such as 30s, 5m, 1h, 7d";
    private static final Pattern IN_WORDS =
            Pattern.compile("(\\d{1,4})?\\s*(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)");
    private static final Window COUNTED_WHERE_UNLIMITED = new Window.Rolling(Duration.ofHours(1));

    private LimitParser() {}

    /**
     * @param zone of calendar windows
     * @throws IllegalArgumentException if it is no limit, with what was found and what is allowed
     */
    public static Limit parse(String text, ZoneId zone) {
        String limit = text.trim();
        if (limit.equals("unlimited")) {
            return new Limit(Limit.UNLIMITED, LimitUnit.TOKENS, COUNTED_WHERE_UNLIMITED, limit);
        }
        List<String> words = Arrays.asList(limit.split("\\s+"));
        if (limit.isEmpty() || words.get(0).equals("unlimited")) {
            throw InvalidValueException.notAllowed(limit, FORM);
        }
        int per = words.indexOf("per");
        List<String> unit = words.subList(1, per < 0 ? words.size() : Math.max(1, per));
        String window = per < 0 ? null : String.join(" ", words.subList(per + 1, words.size()));
        try {
            return limit(words.get(0), String.join(" ", unit), window, zone, limit);
        } catch (InvalidValueException part) {
            throw words.size() == 1 && !limit.startsWith("$")
                    ? InvalidValueException.notAllowed(limit, FORM)
                    : part.inside(limit);
        }
    }

    private static Limit limit(String amountText, String unitText, @Nullable String window, ZoneId zone, String text) {
        boolean dollars = amountText.startsWith("$");
        if (dollars && !unitText.isEmpty()) {
            throw InvalidValueException.notAllowed(unitText, "nothing between the money and \"per\"");
        }
        LimitUnit unit = dollars ? LimitUnit.USD : unit(unitText);
        long amount = unit == LimitUnit.USD ? PriceText.parseLimit(amountText) : AmountText.parse(amountText);
        if (unit == LimitUnit.CONCURRENT && window != null) {
            throw InvalidValueException.found(
                    "per " + window, "concurrent counts the calls under way, without a window");
        }
        return new Limit(amount, unit, window == null ? Window.Lifetime.INSTANCE : window(window, zone), text);
    }

    private static LimitUnit unit(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "tokens", "token" -> LimitUnit.TOKENS;
            case "input tokens", "input token" -> LimitUnit.INPUT_TOKENS;
            case "output tokens", "output token" -> LimitUnit.OUTPUT_TOKENS;
            case "requests", "request" -> LimitUnit.REQUESTS;
            case "attempts", "attempt" -> LimitUnit.ATTEMPTS;
            case "concurrent" -> LimitUnit.CONCURRENT;
            case "usd" -> LimitUnit.USD;
            default -> throw InvalidValueException.notAllowed(text, UNITS);
        };
    }

    private static Window window(String text, ZoneId zone) {
        return switch (text) {
            case "calendar day" -> new Window.Calendar(Period.DAY, zone);
            case "calendar week" -> new Window.Calendar(Period.WEEK, zone);
            case "calendar month" -> new Window.Calendar(Period.MONTH, zone);
            default -> new Window.Rolling(rolling(text));
        };
    }

    /** What a window in other words may have meant. */
    private static String hint(String text) {
        Matcher words = IN_WORDS.matcher(text.toLowerCase(Locale.ROOT));
        if (!words.matches()) {
            return "";
        }
        String count = words.group(1) == null ? "1" : words.group(1);
        String unit = words.group(2).substring(0, 1);
        String rolling = unit.equals("w") ? 7 * Long.parseLong(count) + "d" : count + unit;
        boolean onTheCalendar = words.group(1) == null && (unit.equals("d") || unit.equals("w"));
        String calendar = unit.equals("d") ? "\"calendar day\" or " : "\"calendar week\" or ";
        return "; did you mean " + (onTheCalendar ? calendar : "") + '"' + rolling + "\"?";
    }

    private static Duration rolling(String text) {
        Duration length;
        try {
            length = DurationText.parse(text);
        } catch (InvalidValueException notADuration) {
            throw InvalidValueException.notAllowed(text, WINDOWS + hint(text));
        }
        if (length.toMillis() < 1000) {
            throw InvalidValueException.notAllowed(text, "at least 1s");
        }
        return length;
    }
}
