package io.tokenbudget.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.model.chat.request.json.JsonAnyOfSchema;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonEnumSchema;
import dev.langchain4j.model.chat.request.json.JsonIntegerSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonReferenceSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("C3 estimate: schemas as the JSON that is sent")
class SchemaTextTest {

    @Test
    void writesEveryKindOfElement() {
        JsonSchemaElement schema = JsonObjectSchema.builder()
                .description("a place")
                .addProperty("name", new JsonStringSchema())
                .addProperty(
                        "size", JsonIntegerSchema.builder().description("of it").build())
                .addEnumProperty("kind", java.util.List.of("town", "village"))
                .addProperty(
                        "near",
                        JsonArraySchema.builder()
                                .items(JsonReferenceSchema.builder()
                                        .reference("Place")
                                        .build())
                                .build())
                .addProperty(
                        "either",
                        JsonAnyOfSchema.builder()
                                .anyOf(
                                        new JsonStringSchema(),
                                        JsonEnumSchema.builder().enumValues("x").build())
                                .build())
                .required("name")
                .definitions(Map.of("Place", JsonObjectSchema.builder().build()))
                .build();

        assertThat(SchemaText.of(schema).toString())
                .contains("{\"type\":\"object\",\"description\":\"a place\"")
                .contains("\"name\":{\"type\":\"string\"}")
                .contains("\"size\":{\"type\":\"integer\",\"description\":\"of it\"}")
                .contains("\"kind\":{\"type\":\"string\",\"enum\":[\"town\",\"village\"]}")
                .contains("\"near\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/Place\"}}")
                .contains("\"either\":{\"anyOf\":[{\"type\":\"string\"},")
                .contains("\"required\":[\"name\"]")
                .contains("\"$defs\":{\"Place\":{\"type\":\"object\"}");
    }

    @Test
    void takesARawSchemaAsItIs() {
        assertThat(SchemaText.of(new RawSchema()).toString()).isEqualTo("{\"type\":\"string\"}");
    }

    @Test
    void isEmptyWithoutASchema() {
        assertThat(SchemaText.of(null)).isEmpty();
    }

    /** As JsonRawSchema is since LangChain4j 1.3. */
    public static final class RawSchema implements JsonSchemaElement {
        @Override
        public String description() {
            return "not part of what is sent";
        }

        public String schema() {
            return "{\"type\":\"string\"}";
        }
    }
}
