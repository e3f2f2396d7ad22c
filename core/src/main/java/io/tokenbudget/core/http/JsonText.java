package io.tokenbudget.core.http;

import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes one JSON object on one line. Stateless. Core has no JSON library: it would be another version than the application's. */
final class JsonText {
    private JsonText() {}

    /** @param fields values are texts, numbers, truth values, null, or several of these, or maps of them */
    static String of(Map<String, ? extends @Nullable Object> fields) {
        StringBuilder json = new StringBuilder();
        object(fields, json);
        return json.toString();
    }

    private static void object(Map<?, ? extends @Nullable Object> fields, StringBuilder json) {
        json.append('{');
        boolean first = true;
        for (Map.Entry<?, ? extends @Nullable Object> field : fields.entrySet()) {
            json.append(first ? "" : ",");
            first = false;
            quote(String.valueOf(field.getKey()), json);
            json.append(':');
            write(field.getValue(), json);
        }
        json.append('}');
    }

    private static void write(@Nullable Object value, StringBuilder json) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            json.append(value);
        } else if (value instanceof Map<?, ?> fields) {
            object(fields, json);
        } else if (value instanceof Iterable<?> several) {
            json.append('[');
            for (Iterator<?> each = several.iterator(); each.hasNext(); ) {
                write(each.next(), json);
                json.append(each.hasNext() ? "," : "");
            }
            json.append(']');
        } else {
            quote(value.toString(), json);
        }
    }

    private static void quote(String text, StringBuilder json) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> json.append('\\').append(c);
                default -> {
                    if (c < 0x20 || c == 0x2028 || c == 0x2029 || Character.isSurrogate(c)) {
                        json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        json.append(c);
                    }
                }
            }
        }
        json.append('"');
    }
}
