package io.tokenbudget.examples.providerstub;

import io.tokenbudget.examples.providerstub.ModelRequest.Tool;
import io.tokenbudget.examples.providerstub.Turn.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads Ollama's chat and generate requests and counts what they hold. */
final class OllamaRequest {
    private OllamaRequest() {}

    /** @throws IllegalArgumentException if there is none */
    static String model(Map<String, Object> body) {
        if (body.get("model") instanceof String model) {
            return model;
        }
        throw new IllegalArgumentException("model is required");
    }

    static ModelRequest readChat(String key, Map<String, Object> body) {
        List<Turn> turns = Json.objects(body.get("messages")).stream()
                .map(OllamaRequest::turn)
                .toList();
        return read(key, body, turns);
    }

    static ModelRequest readGenerate(String key, Map<String, Object> body) {
        List<Turn> turns = new ArrayList<>();
        if (body.get("system") instanceof String system) {
            turns.add(new Turn(Role.SYSTEM, system, false, TextPieces.count(system)));
        }
        if (body.get("prompt") instanceof String prompt) {
            turns.add(new Turn(Role.USER, prompt, false, TextPieces.count(prompt) + images(body)));
        }
        return read(key, body, turns);
    }

    private static ModelRequest read(String key, Map<String, Object> body, List<Turn> turns) {
        String model = model(body);
        if (turns.isEmpty()) {
            throw new IllegalArgumentException("nothing is asked");
        }
        long schemas = TextPieces.countTree(body.get("tools")) + TextPieces.countTree(body.get("format"));
        return new ModelRequest(
                key,
                model,
                turns,
                ModelRequest.chatTokens(turns, schemas),
                tools(body),
                maxOutput(body),
                null,
                1,
                !Boolean.FALSE.equals(body.get("stream")),
                body);
    }

    private static Turn turn(Map<?, ?> message) {
        List<Map<?, ?>> calls = Json.objects(message.get("tool_calls"));
        long tokens = TextPieces.countTree(message.get("content")) + images(message);
        tokens += TextPieces.countTree(message.get("thinking"));
        for (Map<?, ?> call : calls) {
            Map<?, ?> function = Json.object(call.get("function"));
            tokens += TextPieces.countTree(function.get("name")) + TextPieces.countTree(function.get("arguments"));
        }
        Role role = switch (String.valueOf(message.get("role"))) {
            case "user" -> Role.USER;
            case "assistant" -> Role.MODEL;
            case "tool" -> Role.TOOL;
            default -> Role.SYSTEM;
        };
        return new Turn(role, Json.text(message.get("content")), !calls.isEmpty(), tokens);
    }

    private static long images(Map<?, ?> message) {
        return message.get("images") instanceof List<?> images ? MediaTokens.IMAGE * images.size() : 0;
    }

    /** A negative bound is none. */
    private static @Nullable Long maxOutput(Map<String, Object> body) {
        Long bound = Json.number(Json.object(body.get("options")).get("num_predict"));
        return bound == null || bound < 0 ? null : bound;
    }

    private static List<Tool> tools(Map<String, Object> body) {
        List<Tool> tools = new ArrayList<>();
        for (Map<?, ?> tool : Json.objects(body.get("tools"))) {
            Map<?, ?> function = Json.object(tool.get("function"));
            tools.add(new Tool(String.valueOf(function.get("name")), Json.object(function.get("parameters"))));
        }
        return tools;
    }
}
