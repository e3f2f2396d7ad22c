package io.tokenbudget.core.http;

import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Caches between an application and its callers, which hand the answer to one caller to others (RFC 9111). What is one caller's own
 * must not be in an answer that they may keep. Stateless.
 */
public final class SharedCaches {
    private SharedCaches() {}

    /**
     * Whether they may keep an answer for others: it says so, or says for how long it is good or since when, from which a cache may
     * conclude that.
     *
     * @param fields the values of the answer's header field of a name; empty if it has none
     */
    public static boolean mayKeep(Function<String, ? extends Collection<String>> fields) {
        Map<String, String> directives = new HashMap<>();
        for (String value : fields.apply("Cache-Control")) {
            for (String directive : value.split(",", -1)) {
                String[] parts = directive.strip().split("=", 2);
                directives.put(
                        parts[0].strip().toLowerCase(Locale.ROOT),
                        parts.length < 2 ? "" : parts[1].strip().replace("\"", ""));
            }
        }
        if (directives.containsKey("private") || directives.containsKey("no-store")) {
            return false;
        }
        if (directives.containsKey("public") || directives.containsKey("s-maxage")) {
            return true;
        }
        String maxAge = directives.get("max-age");
        if (maxAge != null) {
            return !maxAge.equals("0");
        }
        return !directives.containsKey("no-cache")
                && !(fields.apply("Expires").isEmpty()
                        && fields.apply("Last-Modified").isEmpty());
    }
}
