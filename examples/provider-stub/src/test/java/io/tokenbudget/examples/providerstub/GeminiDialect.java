package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Dialect.number;
import static io.tokenbudget.examples.providerstub.Json.map;

import io.tokenbudget.examples.providerstub.Client.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Gemini's content. */
final class GeminiDialect implements Dialect {
    @Override
    public String api() {
        return "gemini";
    }

    @Override
    public String path(String model, boolean streamed) {
        return "/v1beta/models/" + model + (streamed ? ":streamGenerateContent?alt=sse" : ":generateContent");
    }

    @Override
    public Map.Entry<String, String> key(String key) {
        return Map.entry("x-goog-api-key", key);
    }

    @Override
    public Map<String, Object> request(String model, boolean tools) {
        Map<String, Object> body =
                map("contents", List.of(map("role", "user", "parts", List.of(map("text", QUESTION)))));
        if (tools) {
            Map<String, Object> schema = map(
                    "type", "OBJECT", "properties", map("city", map("type", "STRING")), "required", List.of("city"));
            body.put(
                    "tools",
                    List.of(map("functionDeclarations", List.of(map("name", "weather", "parameters", schema)))));
        }
        return body;
    }

    @Override
    public void bound(Map<String, Object> request, long maxOutput) {
        request.put("generationConfig", map("maxOutputTokens", maxOutput));
    }

    /** The path says it. */
    @Override
    public void streamed(Map<String, Object> request) {}

    @Override
    public boolean showThoughts(Map<String, Object> request) {
        request.put("generationConfig", map("thinkingConfig", map("includeThoughts", true)));
        return true;
    }

    @Override
    public String text(Reply reply) {
        return parts(List.of(reply.body()), false);
    }

    @Override
    public String thoughts(Reply reply) {
        return parts(List.of(reply.body()), true);
    }

    @Override
    public String text(List<Map<String, Object>> events) {
        return parts(events, false);
    }

    @Override
    public String thoughts(List<Map<String, Object>> events) {
        return parts(events, true);
    }

    private static String parts(List<Map<String, Object>> responses, boolean thought) {
        StringBuilder text = new StringBuilder();
        for (Map<String, Object> response : responses) {
            for (Map<?, ?> part : Json.objects(Client.at(response, "candidates.0.content.parts"))) {
                if (part.containsKey("thought") == thought) {
                    text.append(Json.text(part.get("text")));
                }
            }
        }
        return text.toString();
    }

    @Override
    public @Nullable Told told(Reply reply) {
        return told(reply.body());
    }

    @Override
    public @Nullable Told told(List<Map<String, Object>> events) {
        return told(events.get(events.size() - 1));
    }

    private static @Nullable Told told(Map<String, Object> body) {
        Object usage = body.get("usageMetadata");
        if (usage == null) {
            return null;
        }
        long thoughts = number(usage, "thoughtsTokenCount");
        return new Told(
                number(usage, "promptTokenCount"),
                number(usage, "cachedContentTokenCount"),
                0,
                number(usage, "candidatesTokenCount") + thoughts,
                thoughts,
                number(usage, "totalTokenCount"));
    }

    @Override
    public String arguments(List<Map<String, Object>> events) {
        return Json.write(Json.object(Client.at(events.get(0), "candidates.0.content.parts.0.functionCall.args")));
    }

    @Override
    public boolean goOn(Map<String, Object> request, Reply reply) {
        List<Object> contents = Dialect.list(request.get("contents"));
        contents.add(reply.at("candidates.0.content"));
        List<Object> results = new ArrayList<>();
        for (Map<?, ?> part : Json.objects(reply.at("candidates.0.content.parts"))) {
            if (part.get("functionCall") instanceof Map<?, ?> call) {
                Map<String, Object> result = map("name", call.get("name"), "response", map("result", "sunny"));
                results.add(map("functionResponse", result));
            }
        }
        contents.add(map("role", "user", "parts", results));
        request.put("contents", contents);
        return !results.isEmpty();
    }

    @Override
    public String contentMark() {
        return "\"text\":\"";
    }

    @Override
    public Object errorMessage(Map<String, Object> body) {
        return String.valueOf(Client.at(body, "error.message"));
    }
}
