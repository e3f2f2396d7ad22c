package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Dialect.number;
import static io.tokenbudget.examples.providerstub.Json.map;

import io.tokenbudget.examples.providerstub.Client.Reply;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** OpenAI's Responses API. */
final class ResponsesDialect implements Dialect {
    @Override
    public String api() {
        return "openai-responses";
    }

    @Override
    public String path(String model, boolean streamed) {
        return "/v1/responses";
    }

    @Override
    public Map.Entry<String, String> key(String key) {
        return Map.entry("Authorization", "Bearer " + key);
    }

    @Override
    public Map<String, Object> request(String model, boolean tools) {
        Map<String, Object> body = map("model", model, "input", List.of(Map.of("role", "user", "content", QUESTION)));
        if (tools) {
            body.put("tools", List.of(map("type", "function", "name", "weather", "parameters", SCHEMA)));
        }
        return body;
    }

    @Override
    public void bound(Map<String, Object> request, long maxOutput) {
        request.put("max_output_tokens", maxOutput);
    }

    @Override
    public void streamed(Map<String, Object> request) {
        request.put("stream", true);
    }

    @Override
    public boolean showThoughts(Map<String, Object> request) {
        return false;
    }

    @Override
    public String text(Reply reply) {
        return text(reply.body());
    }

    private static String text(@Nullable Object response) {
        StringBuilder text = new StringBuilder();
        for (Map<?, ?> item : Json.objects(Client.at(response, "output"))) {
            text.append(Json.text(item.get("content")));
        }
        return text.toString();
    }

    @Override
    public String thoughts(Reply reply) {
        return "";
    }

    @Override
    public String text(List<Map<String, Object>> events) {
        return Dialect.joined(
                events.stream()
                        .filter(event -> "response.output_text.delta".equals(event.get("type")))
                        .toList(),
                "delta");
    }

    @Override
    public String thoughts(List<Map<String, Object>> events) {
        return "";
    }

    @Override
    public @Nullable Told told(Reply reply) {
        return told(reply.body().get("usage"));
    }

    @Override
    public @Nullable Told told(List<Map<String, Object>> events) {
        return told(Client.at(events.get(events.size() - 1), "response.usage"));
    }

    private static @Nullable Told told(@Nullable Object usage) {
        return usage == null
                ? null
                : new Told(
                        number(usage, "input_tokens"),
                        number(usage, "input_tokens_details.cached_tokens"),
                        0,
                        number(usage, "output_tokens"),
                        number(usage, "output_tokens_details.reasoning_tokens"),
                        number(usage, "total_tokens"));
    }

    @Override
    public String arguments(List<Map<String, Object>> events) {
        return Dialect.joined(
                events.stream()
                        .filter(event -> "response.function_call_arguments.delta".equals(event.get("type")))
                        .toList(),
                "delta");
    }

    @Override
    public boolean goOn(Map<String, Object> request, Reply reply) {
        List<Object> items = Dialect.list(request.get("input"));
        items.addAll(reply.list("output"));
        boolean calls = false;
        for (Map<?, ?> item : Json.objects(reply.at("output"))) {
            if ("function_call".equals(item.get("type"))) {
                calls = true;
                items.add(map("type", "function_call_output", "call_id", item.get("call_id"), "output", "sunny"));
            }
        }
        request.put("input", items);
        return calls;
    }

    @Override
    public String contentMark() {
        return "\"type\":\"response.output_text.delta\"";
    }

    @Override
    public Object errorMessage(Map<String, Object> body) {
        return String.valueOf(Client.at(body.getOrDefault("response", body), "error.message"));
    }
}
