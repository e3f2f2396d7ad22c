package io.tokenbudget.langchain4j;

import dev.langchain4j.model.chat.request.json.JsonAnyOfSchema;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonEnumSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonReferenceSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a schema as the compact JSON that a provider is sent, to count its tokens. Only the length matters, so nothing
 * is escaped. Not thread-safe.
 */
final class SchemaText {
    private static final Reflected RAW_SCHEMA = Reflected.method("schema");

    private final StringBuilder json = new StringBuilder();

    private SchemaText() {}

    /** The schema as JSON; empty for null. */
    static CharSequence of(@Nullable JsonSchemaElement schema) {
        SchemaText text = new SchemaText();
        if (schema != null) {
            text.element(schema);
        }
        return text.json;
    }

    private void element(JsonSchemaElement element) {
        if (RAW_SCHEMA.get(element) instanceof String raw) {
            json.append(raw);
            return;
        }
        json.append('{');
        if (element instanceof JsonReferenceSchema reference) {
            json.append("\"$ref\":\"#/$defs/").append(reference.reference()).append('"');
        } else if (element instanceof JsonAnyOfSchema anyOf) {
            json.append("\"anyOf\":[");
            anyOf.anyOf().forEach(this::listed);
            json.append(']');
        } else {
            json.append("\"type\":\"").append(type(element)).append('"');
        }
        if (element.description() != null) {
            json.append(",\"description\":\"").append(element.description()).append('"');
        }
        if (element instanceof JsonObjectSchema object) {
            members("properties", object.properties());
            strings("required", object.required());
            members("$defs", object.definitions());
        } else if (element instanceof JsonArraySchema array && array.items() != null) {
            json.append(",\"items\":");
            element(array.items());
        } else if (element instanceof JsonEnumSchema choice) {
            strings("enum", choice.enumValues());
        }
        json.append('}');
    }

    private void members(String key, @Nullable Map<String, JsonSchemaElement> members) {
        if (members == null || members.isEmpty()) {
            return;
        }
        json.append(",\"").append(key).append("\":{");
        members.forEach((name, element) -> {
            json.append('"').append(name).append("\":");
            listed(element);
        });
        json.append('}');
    }

    private void strings(String key, @Nullable List<String> values) {
        if (values == null || values.isEmpty()) {
            return;
        }
        json.append(",\"").append(key).append("\":[\"");
        json.append(String.join("\",\"", values)).append("\"]");
    }

    private void listed(JsonSchemaElement element) {
        element(element);
        json.append(',');
    }

    /** {@code JsonIntegerSchema} is {@code integer}, and an enumeration is a string. */
    private static String type(JsonSchemaElement element) {
        if (element instanceof JsonEnumSchema) {
            return "string";
        }
        String name = element.getClass().getSimpleName();
        return name.replace("Json", "").replace("Schema", "").toLowerCase(Locale.ROOT);
    }
}
