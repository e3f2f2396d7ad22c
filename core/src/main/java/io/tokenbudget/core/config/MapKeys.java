package io.tokenbudget.core.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes joined keys apart: {@code budgets[0].scope} becomes {@code budgets}, in it {@code 0}, in it {@code scope}. What
 * stands in brackets is one step whatever it contains. Stateless.
 */
final class MapKeys {
    private MapKeys() {}

    /** A copy of {@code nested} in which every key is one step; what several keys say of one step is put together. */
    static Map<String, @Nullable Object> apart(Map<?, ?> nested) {
        Map<String, @Nullable Object> whole = new LinkedHashMap<>();
        addAll(nested, whole);
        return whole;
    }

    private static void addAll(Map<?, ?> nested, Map<String, @Nullable Object> into) {
        nested.forEach((key, value) -> {
            List<String> steps = steps(String.valueOf(key));
            Map<String, @Nullable Object> parent = into;
            for (String step : steps.subList(0, steps.size() - 1)) {
                parent = child(parent, step);
            }
            String last = steps.get(steps.size() - 1);
            if (value instanceof Map<?, ?> map) {
                addAll(map, child(parent, last));
            } else {
                parent.put(last, value);
            }
        });
    }

    /** Puts {@code value} at these steps in place of what stands there in any spelling. */
    static void replace(Map<String, @Nullable Object> top, List<String> steps, String value) {
        String first = steps.get(0);
        List<String> rest = steps.subList(1, steps.size());
        for (String key : List.copyOf(top.keySet())) {
            if (respelled(key, List.of(first)).equals(first)) {
                if (rest.isEmpty()) {
                    top.remove(key);
                } else if (top.get(key) instanceof Map<?, ?>) {
                    Map<String, @Nullable Object> child = child(top, key);
                    remove(child, rest.get(0));
                    if (child.isEmpty()) {
                        top.remove(key);
                    }
                }
            }
        }
        if (rest.isEmpty()) {
            top.put(first, value);
        } else {
            child(top, first).put(rest.get(0), value);
        }
    }

    private static void remove(Map<String, @Nullable Object> parent, String name) {
        parent.keySet().removeIf(key -> respelled(key, List.of(name)).equals(name));
    }

    /** The mapping at {@code step}, begun if there is none. */
    private static Map<String, @Nullable Object> child(Map<String, @Nullable Object> parent, String step) {
        Map<String, @Nullable Object> child = new LinkedHashMap<>();
        Object present = parent.get(step);
        if (present instanceof Map<?, ?> map) {
            map.forEach((key, value) -> child.put(String.valueOf(key), value));
        } else if (present instanceof Collection<?> list) {
            list.forEach(item -> child.put(Integer.toString(child.size()), item));
        }
        parent.put(step, child);
        return child;
    }

    private static List<String> steps(String key) {
        List<String> steps = new ArrayList<>();
        StringBuilder step = new StringBuilder();
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            int close = c == '[' ? key.indexOf(']', i) : -1;
            if (close >= 0) {
                end(step, steps);
                steps.add(unquoted(key.substring(i + 1, close)));
                i = close;
            } else if (c == '.') {
                end(step, steps);
            } else {
                step.append(c);
            }
        }
        end(step, steps);
        return steps.isEmpty() ? List.of(key) : steps;
    }

    private static void end(StringBuilder step, List<String> steps) {
        if (!step.isEmpty()) {
            steps.add(step.toString());
            step.setLength(0);
        }
    }

    private static String unquoted(String name) {
        boolean quoted = name.length() >= 2
                && (name.charAt(0) == '"' || name.charAt(0) == '\'')
                && name.charAt(name.length() - 1) == name.charAt(0);
        return quoted ? name.substring(1, name.length() - 1) : name;
    }

    /** Whether these are the indexes of a list. */
    static boolean areIndexes(Collection<String> keys) {
        return !keys.isEmpty() && keys.stream().allMatch(key -> key.length() <= 9 && key.matches("[0-9]+"));
    }

    /** {@code written} as it is spelled among {@code known}, or as it stands. */
    static String respelled(String written, Collection<String> known) {
        String plain = Names.plain(written);
        return known.stream()
                .filter(name -> Names.plain(name).equals(plain))
                .findFirst()
                .orElse(written);
    }

    /** The parts of a text that stands for a list. */
    static List<String> parts(String text) {
        return text.isBlank()
                ? List.of()
                : Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }
}
