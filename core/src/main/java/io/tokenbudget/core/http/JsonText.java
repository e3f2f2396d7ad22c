package io.tokenbudget.core.http;

import java.util.Iterator;
import java.util.Locale;
import java.util.Map;

/** Writes one JSON object on one line. Stateless. Core has no JSON library: it would be another version than the application's. */
final class JsonText {
    private JsonText() {}

    /** @param fields values are texts, numbers or several texts */
    static String of(Map<String, ?> fields) {
        StringBuilder json = new StringBuilder("{");
        fields.forEach((name, value) -> {
            json.append(json.length() > 1 ? "," : "");
            quote(name, json);
            json.append(':');
            write(value, json);
        });
        return json.append('}').toString();
    }

    private static void write(Object value, StringBuilder json) {
        if (value instanceof Number) {
            json.append(value);
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
