package io.tokenbudget.agent;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What follows {@code =} after the agent's jar: {@code key=value} pairs, separated by {@code ;} where there is one, else by
 * {@code ,}. So a value may contain commas.
 */
final class AgentArguments {
    private AgentArguments() {}

    /** The pairs in their order; a word without {@code =} has an empty value. */
    static Map<String, String> parse(@Nullable String arguments) {
        Map<String, String> parsed = new LinkedHashMap<>();
        if (arguments != null) {
            String separator = arguments.indexOf(';') < 0 ? "," : ";";
            for (String pair : arguments.split(separator, -1)) {
                int equals = pair.indexOf('=');
                String key = (equals < 0 ? pair : pair.substring(0, equals)).trim();
                if (!key.isEmpty()) {
                    parsed.put(key, equals < 0 ? "" : pair.substring(equals + 1).trim());
                }
            }
        }
        return parsed;
    }
}
