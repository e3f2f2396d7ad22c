package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Dialect.number;
import static io.tokenbudget.examples.providerstub.Json.map;

import io.tokenbudget.examples.providerstub.Client.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Anthropic's messages. */
final class AnthropicDialect implements Dialect {
    @Override
    public String api() {
        return "anthropic";
    }

    @Override
    public String path(String model, boolean streamed) {
        return "/v1/messages";
    }

    @Override
    public Map.Entry<String, String> key(String key) {
        return Map.entry("x-api-key", key);
    }

    @Override
    public Map<String, Object> request(String model, boolean tools) {
        Map<String, Object> body = map(
                "model",
                model,
                "max_tokens",
                100_000,
                "messages",
                List.of(Map.of("role", "user", "content", QUESTION)));
        if (tools) {
            body.put("tools", List.of(map("name", "weather", "input_schema", SCHEMA)));
        }
        return body;
    }

    @Override
    public void bound(Map<String, Object> request, long maxOutput) {
        request.put("max_tokens", maxOutput);
    }

    @Override
    public void streamed(Map<String, Object> request) {
        request.put("stream", true);
    }

    @Override
    public boolean showThoughts(Map<String, Object> request) {
        request.put("thinking", map("type", "enabled", "budget_tokens", 1024));
        return true;
    }

    @Override
    public String text(Reply reply) {
        return blocks(reply, "text", "text");
    }

    @Override
    public String thoughts(Reply reply) {
        return blocks(reply, "thinking", "thinking");
    }

    private static String blocks(Reply reply, String type, String field) {
        StringBuilder text = new StringBuilder();
        for (Object block : reply.list("content")) {
            if (type.equals(Client.at(block, "type"))) {
                text.append(Client.at(block, field));
            }
        }
        return text.toString();
    }

    @Override
    public String text(List<Map<String, Object>> events) {
        return Dialect.joined(events, "delta.text");
    }

    @Override
    public String thoughts(List<Map<String, Object>> events) {
        return Dialect.joined(events, "delta.thinking");
    }

    @Override
    public @Nullable Told told(Reply reply) {
        return told(reply.body().get("usage"));
    }

    @Override
    public @Nullable Told told(List<Map<String, Object>> events) {
        return told(events.get(events.size() - 2).get("usage"));
    }

    private static @Nullable Told told(@Nullable Object usage) {
        if (usage == null) {
            return null;
        }
        long read = number(usage, "cache_read_input_tokens");
        long written = number(usage, "cache_creation_input_tokens");
        long input = number(usage, "input_tokens") + read + written;
        long output = number(usage, "output_tokens");
        return new Told(input, read, written, output, 0, input + output);
    }

    @Override
    public String arguments(List<Map<String, Object>> events) {
        return Dialect.joined(events, "delta.partial_json");
    }

    @Override
    public boolean goOn(Map<String, Object> request, Reply reply) {
        List<Object> messages = Dialect.list(request.get("messages"));
        messages.add(map("role", "assistant", "content", reply.list("content")));
        List<Object> results = new ArrayList<>();
        for (Object block : reply.list("content")) {
            if ("tool_use".equals(Client.at(block, "type"))) {
                results.add(map("type", "tool_result", "tool_use_id", Client.at(block, "id"), "content", "sunny"));
            }
        }
        messages.add(map("role", "user", "content", results));
        request.put("messages", messages);
        return !results.isEmpty();
    }

    @Override
    public String contentMark() {
        return "text_delta";
    }

    @Override
    public Object errorMessage(Map<String, Object> body) {
        return String.valueOf(Client.at(body, "error.message"));
    }
}
