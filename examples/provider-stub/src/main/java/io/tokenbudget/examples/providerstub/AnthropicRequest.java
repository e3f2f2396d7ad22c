package io.tokenbudget.examples.providerstub;

import io.tokenbudget.examples.providerstub.ModelRequest.Tool;
import io.tokenbudget.examples.providerstub.Turn.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads Anthropic's message requests and counts what they hold. */
final class AnthropicRequest {
    private AnthropicRequest() {}

    static ModelRequest read(String key, Map<String, Object> body) {
        if (!(body.get("model") instanceof String model)) {
            throw new IllegalArgumentException("model: Field required");
        }
        Long maxTokens = Json.number(body.get("max_tokens"));
        if (maxTokens == null) {
            throw new IllegalArgumentException("max_tokens: Field required");
        }
        List<Turn> turns = new ArrayList<>();
        if (body.get("system") != null) {
            turns.add(turn(Role.SYSTEM, blocks(body.get("system"))));
        }
        List<Map<?, ?>> messages = Json.objects(body.get("messages"));
        if (messages.isEmpty()) {
            throw new IllegalArgumentException("messages: at least one message is required");
        }
        for (Map<?, ?> message : messages) {
            addTurns(message, turns);
        }
        return new ModelRequest(
                key,
                model,
                turns,
                ModelRequest.chatTokens(turns, TextPieces.countTree(body.get("tools"))),
                tools(body),
                maxTokens,
                null,
                1,
                Boolean.TRUE.equals(body.get("stream")),
                body);
    }

    /** The results of tools come as part of what the user says; here they are a message of their own. */
    private static void addTurns(Map<?, ?> message, List<Turn> turns) {
        List<Map<?, ?>> said = new ArrayList<>();
        List<Map<?, ?>> results = new ArrayList<>();
        for (Map<?, ?> block : blocks(message.get("content"))) {
            ("tool_result".equals(block.get("type")) ? results : said).add(block);
        }
        if (!results.isEmpty()) {
            turns.add(turn(Role.TOOL, results));
        }
        if (!said.isEmpty()) {
            turns.add(turn("assistant".equals(message.get("role")) ? Role.MODEL : Role.USER, said));
        }
    }

    private static Turn turn(Role role, List<Map<?, ?>> blocks) {
        StringBuilder text = new StringBuilder();
        boolean callsTools = false;
        long tokens = 0;
        for (Map<?, ?> block : blocks) {
            text.append(Json.text(block.get("text"))).append(Json.text(block.get("content")));
            callsTools |= "tool_use".equals(block.get("type"));
            tokens += tokens(block);
        }
        return new Turn(role, text.toString(), callsTools, tokens);
    }

    private static long tokens(Map<?, ?> block) {
        return switch (String.valueOf(block.get("type"))) {
            case "text" -> TextPieces.countTree(block.get("text"));
            case "thinking" -> TextPieces.countTree(block.get("thinking"));
            case "tool_use" -> TextPieces.countTree(block.get("name")) + TextPieces.countTree(block.get("input"));
            case "tool_result" ->
                blocks(block.get("content")).stream()
                        .mapToLong(AnthropicRequest::tokens)
                        .sum();
            case "image" -> MediaTokens.IMAGE;
            default -> MediaTokens.OTHER;
        };
    }

    /** A text may stand for a list with one block of text. */
    private static List<Map<?, ?>> blocks(@Nullable Object content) {
        return content instanceof String text ? List.of(Map.of("type", "text", "text", text)) : Json.objects(content);
    }

    private static List<Tool> tools(Map<String, Object> body) {
        List<Tool> tools = new ArrayList<>();
        if (!"none".equals(Json.object(body.get("tool_choice")).get("type"))) {
            for (Map<?, ?> tool : Json.objects(body.get("tools"))) {
                tools.add(new Tool(String.valueOf(tool.get("name")), Json.object(tool.get("input_schema"))));
            }
        }
        return tools;
    }
}
