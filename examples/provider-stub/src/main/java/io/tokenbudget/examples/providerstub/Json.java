package io.tokenbudget.examples.providerstub;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** JSON as maps, lists, texts and numbers. */
final class Json {
    private static final JSON FORMAT = JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES);

    private Json() {}

    static String write(Object value) {
        try {
            return FORMAT.asString(value);
        } catch (IOException impossible) {
            throw new IllegalStateException("maps and lists can always be written", impossible);
        }
    }

    /** @throws IOException if it is no JSON object */
    static Map<String, Object> readObject(byte[] json) throws IOException {
        return FORMAT.mapFrom(json);
    }

    /** A map in this order; the keys are texts. */
    static Map<String, Object> map(@Nullable Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put(String.valueOf(keysAndValues[i]), keysAndValues[i + 1]);
        }
        return map;
    }

    /** Those elements of a list that are objects; empty if it is no list. */
    static List<Map<?, ?>> objects(@Nullable Object list) {
        List<Map<?, ?>> objects = new ArrayList<>();
        if (list instanceof List<?> items) {
            for (Object item : items) {
                if (item instanceof Map<?, ?> map) {
                    objects.add(map);
                }
            }
        }
        return objects;
    }

    /** An object, empty if it is none. */
    static Map<?, ?> object(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    static @Nullable Long number(@Nullable Object value) {
        return value instanceof Number number ? number.longValue() : null;
    }

    /** A text, or the {@code text} members of a list of parts, a line each. */
    static String text(@Nullable Object content) {
        if (content instanceof List<?>) {
            return objects(content).stream()
                    .map(part -> part.get("text"))
                    .filter(String.class::isInstance)
                    .map(String.class::cast)
                    .collect(Collectors.joining("\n"));
        }
        return content == null ? "" : content.toString();
    }
}
