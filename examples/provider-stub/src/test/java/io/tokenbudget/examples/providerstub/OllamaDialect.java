package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Dialect.number;
import static io.tokenbudget.examples.providerstub.Json.map;

import io.tokenbudget.examples.providerstub.Client.Reply;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ollama's chat. */
final class OllamaDialect implements Dialect {
    @Override
    public String api() {
        return "ollama-chat";
    }

    @Override
    public String path(String model, boolean streamed) {
        return "/api/chat";
    }

    @Override
    public Map.Entry<String, String> key(String key) {
        return Map.entry("Authorization", "Bearer " + key);
    }

    @Override
    public Map<String, Object> request(String model, boolean tools) {
        Map<String, Object> body =
                map("model", model, "stream", false, "messages", List.of(Map.of("role", "user", "content", QUESTION)));
        if (tools) {
            body.put(
                    "tools",
                    List.of(map("type", "function", "function", map("name", "weather", "parameters", SCHEMA))));
        }
        return body;
    }

    @Override
    public void bound(Map<String, Object> request, long maxOutput) {
        request.put("options", map("num_predict", maxOutput));
    }

    @Override
    public void streamed(Map<String, Object> request) {
        request.remove("stream");
    }

    @Override
    public boolean showThoughts(Map<String, Object> request) {
        request.put("think", true);
        return true;
    }

    @Override
    public String text(Reply reply) {
        return String.valueOf(reply.at("message.content"));
    }

    @Override
    public String thoughts(Reply reply) {
        return Dialect.joined(List.of(reply.body()), "message.thinking");
    }

    @Override
    public String text(List<Map<String, Object>> events) {
        return Dialect.joined(events, "message.content");
    }

    @Override
    public String thoughts(List<Map<String, Object>> events) {
        return Dialect.joined(events, "message.thinking");
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
        if (!body.containsKey("eval_count")) {
            return null;
        }
        long input = number(body, "prompt_eval_count");
        long output = number(body, "eval_count");
        return new Told(input, 0, 0, output, 0, input + output);
    }

    @Override
    public String arguments(List<Map<String, Object>> events) {
        return Json.write(Json.object(Client.at(events.get(0), "message.tool_calls.0.function.arguments")));
    }

    @Override
    public boolean goOn(Map<String, Object> request, Reply reply) {
        List<Object> messages = Dialect.list(request.get("messages"));
        messages.add(reply.at("message"));
        List<?> calls = reply.list("message.tool_calls");
        for (Object call : calls) {
            messages.add(map("role", "tool", "tool_name", Client.at(call, "function.name"), "content", "sunny"));
        }
        request.put("messages", messages);
        return !calls.isEmpty();
    }

    @Override
    public String contentMark() {
        return "\"done\":false";
    }

    @Override
    public Object errorMessage(Map<String, Object> body) {
        return String.valueOf(body.get("error"));
    }
}
