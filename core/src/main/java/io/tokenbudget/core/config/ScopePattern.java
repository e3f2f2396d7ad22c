package io.tokenbudget.core.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A scope as users write it, taken apart: {@code agent}, {@code agent:planner}, {@code model:gpt-4o*}, {@code global},
 * or several joined by slashes, {@code tenant:acme/agent}.
 *
 * <ul>
 *   <li>A part is a dimension, or a dimension, a colon and a value. The value may contain colons.
 *   <li>A slash joins. In the value of {@code model} it belongs to the value ({@code model:meta/llama-3}), unless a
 *       known dimension follows it.
 *   <li>In every other value a slash of the value is written {@code %2F}; {@code %25} stands for a percent sign.
 *   <li>Known are the built-in dimensions and those of {@code identity}. Any other name may be used too, unless it is
 *       one letter away from a known one.
 *   <li>{@code global} stands alone; a dimension is named once.
 * </ul>
 *
 * @param dimensions at least one, each once
 * @param values for each dimension its value or glob, or null for every value
 */
public record ScopePattern(List<String> dimensions, List<@Nullable String> values) {

    /**
     * @param known dimensions of the user's own that are known
     * @throws IllegalArgumentException if it is no scope, with what was found and what is allowed
     */
    public static ScopePattern parse(String text, Set<String> known) {
        if (text.equals("global")) {
            return new ScopePattern(List.of("global"), Collections.singletonList(null));
        }
        return new Parser(text, known).parse();
    }

    /** The value of each dimension, null for every value, whatever the order in which they are written. */
    public Map<String, @Nullable String> byDimension() {
        Map<String, @Nullable String> byDimension = new TreeMap<>();
        for (int i = 0; i < dimensions.size(); i++) {
            byDimension.put(dimensions.get(i), values.get(i));
        }
        return byDimension;
    }

    private static final class Parser {
        private final String text;
        private final Set<String> known;
        private final List<String> dimensions = new ArrayList<>();
        private final List<@Nullable String> values = new ArrayList<>();

        Parser(String text, Set<String> known) {
            this.text = text;
            this.known = known;
        }

        ScopePattern parse() {
            int start = 0;
            while (start <= text.length()) {
                start = readPart(start) + 1;
            }
            return new ScopePattern(List.copyOf(dimensions), Collections.unmodifiableList(values));
        }

        /** Reads the part that begins at {@code start} and answers where it ends. */
        private int readPart(int start) {
            int nameEnd = endOfName(start);
            String dimension = text.substring(start, nameEnd);
            String objection = Dimensions.objection(dimension, known);
            if (objection != null) {
                throw InvalidValueException.found(text, objection);
            }
            if (dimensions.contains(dimension)) {
                throw InvalidValueException.found(text, dimension + " is named twice");
            }
            dimensions.add(dimension);
            if (nameEnd == text.length() || text.charAt(nameEnd) == '/') {
                values.add(null);
                return nameEnd;
            }
            int end = endOfValue(dimension, nameEnd + 1);
            values.add(value(dimension, text.substring(nameEnd + 1, end)));
            return end;
        }

        private int endOfName(int start) {
            int end = start;
            while (end < text.length() && text.charAt(end) != ':' && text.charAt(end) != '/') {
                end++;
            }
            return end;
        }

        private int endOfValue(String dimension, int start) {
            int slash = text.indexOf('/', start);
            while (slash >= 0 && !joins(dimension, slash)) {
                slash = text.indexOf('/', slash + 1);
            }
            return slash < 0 ? text.length() : slash;
        }

        private boolean joins(String dimension, int slash) {
            int nameEnd = endOfName(slash + 1);
            String next = text.substring(slash + 1, nameEnd);
            if (Dimensions.BUILT_IN.contains(next) || known.contains(next)) {
                return true;
            }
            if (dimension.equals("model")) {
                return false;
            }
            if (nameEnd < text.length() && text.charAt(nameEnd) == ':') {
                return true;
            }
            throw InvalidValueException.found(
                    text,
                    "\"" + next + "\" is not a known dimension; if it is one of your own, write \"" + next
                            + ":*\", if the slash belongs to the value, write it as %2F");
        }

        private String value(String dimension, String written) {
            if (written.isBlank()) {
                throw InvalidValueException.found(text, "a value is missing after \"" + dimension + ":\"");
            }
            if (!written.equals(written.strip())) {
                throw InvalidValueException.found(text, "a value must not begin or end with a space");
            }
            return written.replace("%2F", "/").replace("%2f", "/").replace("%25", "%");
        }
    }
}
