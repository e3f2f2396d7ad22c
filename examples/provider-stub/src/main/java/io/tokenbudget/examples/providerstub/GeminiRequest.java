package io.tokenbudget.examples.providerstub;

import io.tokenbudget.examples.providerstub.ModelRequest.Tool;
import io.tokenbudget.examples.providerstub.Turn.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads Gemini's requests and counts what they hold. */
final class GeminiRequest {
    private static final String MODELS = "/models/";

    private GeminiRequest() {}

    static ModelRequest read(WebRequest request) {
        Map<String, Object> body = request.json();
        List<Turn> turns = new ArrayList<>();
        Map<?, ?> system = Json.object(body.get("systemInstruction"));
        if (!system.isEmpty()) {
            turns.add(turn(Role.SYSTEM, Json.objects(system.get("parts"))));
        }
        List<Map<?, ?>> contents = Json.objects(body.get("contents"));
        if (contents.isEmpty()) {
            throw new IllegalArgumentException("contents is not specified");
        }
        for (Map<?, ?> content : contents) {
            turns.add(turn("model".equals(content.get("role")) ? Role.MODEL : Role.USER, parts(content)));
        }
        Map<?, ?> config = Json.object(body.get("generationConfig"));
        long schemas = TextPieces.countTree(body.get("tools"))
                + TextPieces.countTree(config.get("responseSchema"))
                + TextPieces.countTree(config.get("responseJsonSchema"));
        return new ModelRequest(
                key(request),
                model(request),
                turns,
                ModelRequest.chatTokens(turns, schemas),
                tools(body),
                Json.number(config.get("maxOutputTokens")),
                null,
                config.get("candidateCount") instanceof Number count ? count.intValue() : 1,
                request.path().endsWith(":streamGenerateContent"),
                body);
    }

    static String key(WebRequest request) {
        String key = request.header("x-goog-api-key");
        return key.isEmpty() ? request.query().getOrDefault("key", "") : key;
    }

    /** What stands in the path between {@code models/} and the verb. */
    static String model(WebRequest request) {
        String path = request.path();
        return path.substring(path.indexOf(MODELS) + MODELS.length(), path.lastIndexOf(':'));
    }

    static List<Map<?, ?>> parts(Map<?, ?> content) {
        return Json.objects(content.get("parts"));
    }

    /** The results of tools come as part of what the user says; here they are a tool's. */
    private static Turn turn(Role role, List<Map<?, ?>> parts) {
        boolean callsTools = false;
        boolean results = false;
        StringBuilder text = new StringBuilder(Json.text(parts));
        long tokens = 0;
        for (Map<?, ?> part : parts) {
            Map<?, ?> response = Json.object(part.get("functionResponse"));
            callsTools |= part.containsKey("functionCall");
            results |= !response.isEmpty();
            Json.object(response.get("response")).values().forEach(text::append);
            tokens += tokens(part);
        }
        return new Turn(results ? Role.TOOL : role, text.toString(), callsTools, tokens);
    }

    static long tokens(Map<?, ?> part) {
        if (part.containsKey("inlineData") || part.containsKey("fileData")) {
            Object media = part.containsKey("inlineData") ? part.get("inlineData") : part.get("fileData");
            boolean image = String.valueOf(Json.object(media).get("mimeType")).startsWith("image/");
            return image ? MediaTokens.IMAGE : MediaTokens.OTHER;
        }
        return TextPieces.countTree(part.get("text"))
                + TextPieces.countTree(part.get("functionCall"))
                + TextPieces.countTree(part.get("functionResponse"));
    }

    private static List<Tool> tools(Map<String, Object> body) {
        List<Tool> tools = new ArrayList<>();
        Map<?, ?> calling = Json.object(Json.object(body.get("toolConfig")).get("functionCallingConfig"));
        if (!"NONE".equals(calling.get("mode"))) {
            for (Map<?, ?> tool : Json.objects(body.get("tools"))) {
                for (Map<?, ?> function : Json.objects(tool.get("functionDeclarations"))) {
                    Object schema = function.containsKey("parameters")
                            ? function.get("parameters")
                            : function.get("parametersJsonSchema");
                    tools.add(new Tool(String.valueOf(function.get("name")), Json.object(schema)));
                }
            }
        }
        return tools;
    }
}
