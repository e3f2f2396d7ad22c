package io.tokenbudget.examples.providerstub;

import io.tokenbudget.examples.providerstub.ModelRequest.Tool;
import io.tokenbudget.examples.providerstub.Turn.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads OpenAI's chat completion requests and counts what they hold. */
final class OpenAiChatRequest {
    private OpenAiChatRequest() {}

    static ModelRequest read(String key, Map<String, Object> body) {
        String model = OpenAiFormat.required(body, "model");
        List<Turn> turns = Json.objects(body.get("messages")).stream()
                .map(OpenAiChatRequest::turn)
                .toList();
        if (turns.isEmpty()) {
            throw new IllegalArgumentException("'messages' must hold at least one message");
        }
        long schemas = TextPieces.countTree(body.get("tools")) + TextPieces.countTree(body.get("response_format"));
        return new ModelRequest(
                key,
                model,
                turns,
                ModelRequest.chatTokens(turns, schemas),
                tools(body),
                maxOutput(body),
                null,
                body.get("n") instanceof Number n ? n.intValue() : 1,
                Boolean.TRUE.equals(body.get("stream")),
                body);
    }

    private static Turn turn(Map<?, ?> message) {
        List<Map<?, ?>> calls = Json.objects(message.get("tool_calls"));
        long tokens = content(message.get("content")) + TextPieces.countTree(message.get("name"));
        for (Map<?, ?> call : calls) {
            tokens += TextPieces.countTree(call.get("function"));
        }
        Role role = switch (String.valueOf(message.get("role"))) {
            case "user" -> Role.USER;
            case "assistant" -> Role.MODEL;
            case "tool", "function" -> Role.TOOL;
            default -> Role.SYSTEM;
        };
        return new Turn(role, Json.text(message.get("content")), !calls.isEmpty(), tokens);
    }

    private static List<Tool> tools(Map<String, Object> body) {
        List<Tool> tools = new ArrayList<>();
        if (!"none".equals(body.get("tool_choice"))) {
            for (Map<?, ?> tool : Json.objects(body.get("tools"))) {
                Map<?, ?> function = Json.object(tool.get("function"));
                tools.add(new Tool(String.valueOf(function.get("name")), Json.object(function.get("parameters"))));
            }
        }
        return tools;
    }

    private static @Nullable Long maxOutput(Map<String, Object> body) {
        Long bound = Json.number(body.get("max_completion_tokens"));
        return bound == null ? Json.number(body.get("max_tokens")) : bound;
    }

    private static long content(@Nullable Object content) {
        if (!(content instanceof List<?>)) {
            return TextPieces.countTree(content);
        }
        long tokens = 0;
        for (Map<?, ?> part : Json.objects(content)) {
            tokens += switch (String.valueOf(part.get("type"))) {
                case "text" -> TextPieces.countTree(part.get("text"));
                case "image_url" -> image(Json.object(part.get("image_url")));
                default -> MediaTokens.OTHER;
            };
        }
        return tokens;
    }

    private static long image(Map<?, ?> image) {
        return "low".equals(image.get("detail")) ? MediaTokens.SMALL_IMAGE : MediaTokens.IMAGE;
    }
}
