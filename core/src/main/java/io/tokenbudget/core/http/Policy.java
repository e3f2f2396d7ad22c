package io.tokenbudget.core.http;

import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One limit as draft-ietf-httpapi-ratelimit-headers-11 writes it: an item of {@code RateLimit-Policy} and one of
 * {@code RateLimit}.
 *
 * @param name tells the policies of one answer apart; printable ASCII
 * @param quota in units
 * @param unit see {@link #unit(String)}
 * @param window null where its length is not fixed
 */
record Policy(
        String name, long quota, String unit, @Nullable Duration window) {
    /** The largest integer of a structured field, RFC 9651 section 3.3.1. */
    private static final long MOST = 999_999_999_999_999L;

    /**
     * @param scope of which only the dimensions are said: {@code tenant/agent}
     * @param unit as a status names it: {@code input tokens}
     * @param window as a status names it: {@code calendar day}, or null
     */
    static Policy of(String scope, long quota, String unit, @Nullable String window, @Nullable Duration length) {
        String name = dimensions(scope) + '-' + unit + (window == null ? "" : '-' + window);
        return new Policy(printable(name.replace(' ', '-')), quota, unit(unit), length);
    }

    /** {@code tenant/agent} of {@code tenant:acme/agent:planner}. */
    static String dimensions(String scope) {
        return String.join("/", dimensionsOf(scope));
    }

    private static List<String> dimensionsOf(String scope) {
        return partsOf(scope).stream().map(part -> part.split(":", 2)[0]).toList();
    }

    /** {@code tenant:acme} and {@code agent:planner}. What is behind {@code model:} is all the model's name: there a slash joins nothing. */
    static List<String> partsOf(String scope) {
        List<String> parts = new ArrayList<>();
        String rest = scope;
        for (int slash = rest.indexOf('/'); slash >= 0 && !rest.startsWith("model:"); slash = rest.indexOf('/')) {
            parts.add(rest.substring(0, slash));
            rest = rest.substring(slash + 1);
        }
        parts.add(rest);
        return parts;
    }

    /**
     * The draft's registry has {@code requests} and {@code concurrent-requests}; for the others there is no name in it. Quotas are
     * whole numbers, so money is said in nano-USD.
     */
    private static String unit(String unit) {
        if (unit.equals(LimitUnit.USD.toString())) {
            return "nano-usd";
        }
        return unit.equals(LimitUnit.CONCURRENT.toString()) ? "concurrent-requests" : unit.replace(' ', '-');
    }

    static @Nullable Duration length(Window window) {
        if (window instanceof Window.Rolling rolling) {
            return rolling.length();
        }
        if (window instanceof Window.Calendar calendar) {
            return switch (calendar.period()) {
                case DAY -> Duration.ofDays(1);
                case WEEK -> Duration.ofDays(7);
                case MONTH -> null;
            };
        }
        return null;
    }

    /** {@code "tenant-tokens-1h";q=100000;qu="tokens";w=3600}. */
    String policyItem() {
        String item = quoted() + ";q=" + bounded(quota);
        String withUnit = unit.equals("requests") ? item : item + ";qu=\"" + unit + '"';
        return window == null ? withUnit : withUnit + ";w=" + Math.max(1, seconds(window));
    }

    /** {@code "tenant-tokens-1h";r=120;t=30}. */
    String limitItem(long remaining, @Nullable Duration reset) {
        return quoted() + ";r=" + bounded(remaining) + (reset == null ? "" : ";t=" + bounded(seconds(reset)));
    }

    /** Rounded up: whoever waits that long has waited long enough. */
    static long seconds(Duration duration) {
        return duration.isNegative() ? 0 : duration.toSeconds() + (duration.toNanosPart() > 0 ? 1 : 0);
    }

    private String quoted() {
        return '"' + name + '"';
    }

    private static long bounded(long number) {
        return Math.min(Math.max(0, number), MOST);
    }

    private static String printable(String name) {
        StringBuilder printable = new StringBuilder(name.length());
        name.chars().forEach(c -> printable.append(c < 0x20 || c > 0x7e || c == '"' || c == '\\' ? '_' : (char) c));
        return printable.toString();
    }
}
