package io.tokenbudget.examples.providerstub;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes up arguments that fit a tool's JSON schema: every required property gets a value of its type. */
final class ToolArguments {
    private static final int DEEPEST = 8;

    private final Map<?, ?> root;

    private ToolArguments(Map<?, ?> root) {
        this.root = root;
    }

    static Map<String, Object> of(Map<?, ?> schema) {
        return new ToolArguments(schema).object(schema, 0);
    }

    private Map<String, Object> object(Map<?, ?> schema, int depth) {
        Map<String, Object> object = new LinkedHashMap<>();
        if (depth < DEEPEST && schema.get("properties") instanceof Map<?, ?> properties) {
            Collection<?> required =
                    schema.get("required") instanceof Collection<?> names ? names : properties.keySet();
            for (Object name : required) {
                if (properties.get(name) instanceof Map<?, ?> property) {
                    object.put(name.toString(), value(name.toString(), property, depth + 1));
                }
            }
        }
        return object;
    }

    private Object value(String name, Map<?, ?> declared, int depth) {
        Map<?, ?> schema = resolved(declared);
        if (schema.get("enum") instanceof List<?> allowed && !allowed.isEmpty()) {
            return allowed.get(0);
        }
        return switch (type(schema)) {
            case "integer" -> schema.get("minimum") instanceof Number least ? least.longValue() : 1L;
            case "number" -> schema.get("minimum") instanceof Number least ? least.doubleValue() : 1.5;
            case "boolean" -> true;
            case "array" ->
                schema.get("items") instanceof Map<?, ?> items && depth < DEEPEST
                        ? List.of(value(name, items, depth + 1))
                        : List.of();
            case "object" -> object(schema, depth);
            default -> text(name, schema.get("format"));
        };
    }

    private Map<?, ?> resolved(Map<?, ?> schema) {
        if (schema.get("$ref") instanceof String reference && reference.startsWith("#/")) {
            Object target = root;
            for (String step : reference.substring(2).split("/", -1)) {
                target = target instanceof Map<?, ?> map ? map.get(step) : null;
            }
            return target instanceof Map<?, ?> found ? found : Map.of();
        }
        for (String alternatives : List.of("anyOf", "oneOf", "allOf")) {
            if (schema.get(alternatives) instanceof List<?> list) {
                for (Object each : list) {
                    if (each instanceof Map<?, ?> map && !"null".equals(map.get("type"))) {
                        return resolved(map);
                    }
                }
            }
        }
        return schema;
    }

    private static String type(Map<?, ?> schema) {
        Object type = schema.get("type");
        if (type instanceof Collection<?> several) {
            return several.stream()
                    .filter(each -> !"null".equals(each))
                    .findFirst()
                    .map(Object::toString)
                    .orElse("string");
        }
        if (type == null) {
            return schema.containsKey("properties") ? "object" : "string";
        }
        return type.toString().toLowerCase(Locale.ROOT);
    }

    private static String text(String name, @Nullable Object format) {
        if ("date".equals(format)) {
            return "2026-01-01";
        }
        if ("date-time".equals(format)) {
            return "2026-01-01T12:00:00Z";
        }
        if ("uuid".equals(format)) {
            return "00000000-0000-4000-8000-000000000001";
        }
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.contains("city") || lower.contains("location")) {
            return "Paris";
        }
        return lower.endsWith("id") ? "42" : "some " + name;
    }
}
