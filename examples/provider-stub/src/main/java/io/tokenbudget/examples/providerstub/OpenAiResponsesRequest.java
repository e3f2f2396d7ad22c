package io.tokenbudget.examples.providerstub;

import io.tokenbudget.examples.providerstub.ModelRequest.Tool;
import io.tokenbudget.examples.providerstub.Turn.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads requests of OpenAI's Responses API and counts what they hold. */
final class OpenAiResponsesRequest {
    private OpenAiResponsesRequest() {}

    /** @param earlier the conversation that this one continues */
    static ModelRequest read(String key, Map<String, Object> body, List<Turn> earlier) {
        String model = OpenAiFormat.required(body, "model");
        List<Turn> turns = new ArrayList<>();
        if (body.get("instructions") instanceof String instructions) {
            turns.add(new Turn(Role.SYSTEM, instructions, false, TextPieces.count(instructions)));
        }
        turns.addAll(earlier);
        addInput(body.get("input"), turns);
        if (turns.isEmpty()) {
            throw new IllegalArgumentException("'input' must hold something");
        }
        long schemas = TextPieces.countTree(body.get("tools")) + TextPieces.countTree(body.get("text"));
        return new ModelRequest(
                key,
                model,
                turns,
                ModelRequest.chatTokens(turns, schemas),
                tools(body),
                Json.number(body.get("max_output_tokens")),
                null,
                1,
                Boolean.TRUE.equals(body.get("stream")),
                body);
    }

    private static void addInput(@Nullable Object input, List<Turn> turns) {
        if (input instanceof String text) {
            turns.add(new Turn(Role.USER, text, false, TextPieces.count(text)));
        }
        boolean inRound = false;
        for (Map<?, ?> item : Json.objects(input)) {
            Turn turn = turn(item);
            if (inRound && turn.callsTools()) {
                Turn round = turns.remove(turns.size() - 1);
                turn = new Turn(Role.MODEL, "", true, round.tokens() + turn.tokens());
            }
            turns.add(turn);
            inRound = turn.callsTools();
        }
    }

    private static Turn turn(Map<?, ?> item) {
        return switch (String.valueOf(item.get("type"))) {
            case "function_call" ->
                new Turn(
                        Role.MODEL,
                        "",
                        true,
                        TextPieces.countTree(item.get("name")) + TextPieces.countTree(item.get("arguments")));
            case "function_call_output" ->
                new Turn(Role.TOOL, Json.text(item.get("output")), false, content(item.get("output")));
            case "reasoning" -> new Turn(Role.MODEL, "", false, content(item.get("summary")));
            default -> new Turn(role(item), Json.text(item.get("content")), false, content(item.get("content")));
        };
    }

    private static Role role(Map<?, ?> message) {
        return switch (String.valueOf(message.get("role"))) {
            case "user" -> Role.USER;
            case "assistant" -> Role.MODEL;
            default -> Role.SYSTEM;
        };
    }

    private static long content(@Nullable Object content) {
        if (!(content instanceof List<?>)) {
            return TextPieces.countTree(content);
        }
        long tokens = 0;
        for (Map<?, ?> part : Json.objects(content)) {
            tokens += switch (String.valueOf(part.get("type"))) {
                case "input_image" -> "low".equals(part.get("detail")) ? MediaTokens.SMALL_IMAGE : MediaTokens.IMAGE;
                case "input_file", "input_audio" -> MediaTokens.OTHER;
                case "refusal" -> TextPieces.countTree(part.get("refusal"));
                default -> TextPieces.countTree(part.get("text"));
            };
        }
        return tokens;
    }

    private static List<Tool> tools(Map<String, Object> body) {
        List<Tool> tools = new ArrayList<>();
        if (!"none".equals(body.get("tool_choice"))) {
            for (Map<?, ?> tool : Json.objects(body.get("tools"))) {
                if ("function".equals(tool.get("type"))) {
                    tools.add(new Tool(String.valueOf(tool.get("name")), Json.object(tool.get("parameters"))));
                }
            }
        }
        return tools;
    }
}
