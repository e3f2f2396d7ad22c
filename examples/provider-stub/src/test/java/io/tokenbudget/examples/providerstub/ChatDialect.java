package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Dialect.number;
import static io.tokenbudget.examples.providerstub.Json.map;

import io.tokenbudget.examples.providerstub.Client.Reply;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** OpenAI's chat completions. */
final class ChatDialect implements Dialect {
    @Override
    public String api() {
        return "openai-chat";
    }

    @Override
    public String path(String model, boolean streamed) {
        return "/v1/chat/completions";
    }

    @Override
    public Map.Entry<String, String> key(String key) {
        return Map.entry("Authorization", "Bearer " + key);
    }

    @Override
    public Map<String, Object> request(String model, boolean tools) {
        Map<String, Object> body =
                map("model", model, "messages", List.of(Map.of("role", "user", "content", QUESTION)));
        if (tools) {
            body.put(
                    "tools",
                    List.of(map("type", "function", "function", map("name", "weather", "parameters", SCHEMA))));
        }
        return body;
    }

    @Override
    public void bound(Map<String, Object> request, long maxOutput) {
        request.put("max_completion_tokens", maxOutput);
    }

    @Override
    public void streamed(Map<String, Object> request) {
        request.put("stream", true);
        request.put("stream_options", Map.of("include_usage", true));
    }

    @Override
    public boolean showThoughts(Map<String, Object> request) {
        return false;
    }

    @Override
    public String text(Reply reply) {
        return String.valueOf(reply.at("choices.0.message.content"));
    }

    @Override
    public String thoughts(Reply reply) {
        return "";
    }

    @Override
    public String text(List<Map<String, Object>> events) {
        return Dialect.joined(events, "choices.0.delta.content");
    }

    @Override
    public String thoughts(List<Map<String, Object>> events) {
        return "";
    }

    @Override
    public @Nullable Told told(Reply reply) {
        return told(reply.body());
    }

    @Override
    public @Nullable Told told(List<Map<String, Object>> events) {
        return events.stream()
                .filter(event -> event.get("usage") != null)
                .map(ChatDialect::told)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Told told(Map<String, Object> body) {
        return body.get("usage") == null
                ? null
                : new Told(
                        number(body, "usage.prompt_tokens"),
                        number(body, "usage.prompt_tokens_details.cached_tokens"),
                        0,
                        number(body, "usage.completion_tokens"),
                        number(body, "usage.completion_tokens_details.reasoning_tokens"),
                        number(body, "usage.total_tokens"));
    }

    @Override
    public String arguments(List<Map<String, Object>> events) {
        return Dialect.joined(events, "choices.0.delta.tool_calls.0.function.arguments");
    }

    @Override
    public boolean goOn(Map<String, Object> request, Reply reply) {
        List<Object> messages = Dialect.list(request.get("messages"));
        messages.add(reply.at("choices.0.message"));
        List<?> calls = reply.list("choices.0.message.tool_calls");
        for (Object call : calls) {
            messages.add(map("role", "tool", "tool_call_id", Client.at(call, "id"), "content", "sunny"));
        }
        request.put("messages", messages);
        return !calls.isEmpty();
    }

    @Override
    public String contentMark() {
        return "\"delta\":{\"content\":\"";
    }

    @Override
    public Object errorMessage(Map<String, Object> body) {
        return String.valueOf(Client.at(body, "error.message"));
    }
}
