package io.tokenbudget.examples.providerstub;

import io.tokenbudget.examples.providerstub.ModelRequest.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads OpenAI's chat completion requests and counts what they hold. */
final class OpenAiChatRequest {
    private static final long TOKENS_OF_A_MESSAGE = 3;
    private static final long TOKENS_OF_THE_ANSWERS_START = 3;
    private static final long TOKENS_OF_AN_IMAGE = 765;
    private static final long TOKENS_OF_A_SMALL_IMAGE = 85;
    private static final long TOKENS_OF_OTHER_MEDIA = 500;

    private final Map<String, Object> body;
    private final List<Map<?, ?>> messages;
    private final int lastQuestion;

    private OpenAiChatRequest(Map<String, Object> body) {
        this.body = body;
        this.messages = maps(body.get("messages"));
        if (messages.isEmpty()) {
            throw new IllegalArgumentException("'messages' must hold at least one message");
        }
        this.lastQuestion = lastQuestion();
    }

    static ModelRequest read(String key, Map<String, Object> body) {
        if (!(body.get("model") instanceof String model)) {
            throw new IllegalArgumentException("you must provide a model parameter");
        }
        OpenAiChatRequest request = new OpenAiChatRequest(body);
        return new ModelRequest(
                key,
                model,
                Http.write(request.messages),
                request.promptTokens(),
                request.lastQuestion < 0 ? "" : text(request.messages.get(request.lastQuestion)),
                request.toolResult(),
                request.toolRoundsDone(),
                request.tools(),
                request.maxOutput(),
                body.get("n") instanceof Number n ? n.intValue() : 1,
                Boolean.TRUE.equals(body.get("stream")),
                body.get("stream_options") instanceof Map<?, ?> options
                        && Boolean.TRUE.equals(options.get("include_usage")));
    }

    private int lastQuestion() {
        for (int i = messages.size() - 1; i >= 0; i--) {
            if ("user".equals(messages.get(i).get("role"))) {
                return i;
            }
        }
        return -1;
    }

    private int toolRoundsDone() {
        return (int) messages.subList(lastQuestion + 1, messages.size()).stream()
                .filter(message -> message.get("tool_calls") instanceof List<?> calls && !calls.isEmpty())
                .count();
    }

    private @Nullable String toolResult() {
        Map<?, ?> last = messages.get(messages.size() - 1);
        return "tool".equals(last.get("role")) ? text(last) : null;
    }

    private List<Tool> tools() {
        if ("none".equals(body.get("tool_choice"))) {
            return List.of();
        }
        List<Tool> tools = new ArrayList<>();
        for (Map<?, ?> tool : maps(body.get("tools"))) {
            if (tool.get("function") instanceof Map<?, ?> function) {
                Map<?, ?> schema = function.get("parameters") instanceof Map<?, ?> given ? given : Map.of();
                tools.add(new Tool(String.valueOf(function.get("name")), schema));
            }
        }
        return tools;
    }

    private @Nullable Long maxOutput() {
        Object bound = Objects.requireNonNullElse(body.get("max_completion_tokens"), "");
        if (!(bound instanceof Number)) {
            bound = body.get("max_tokens");
        }
        return bound instanceof Number number ? number.longValue() : null;
    }

    private long promptTokens() {
        long tokens = TOKENS_OF_THE_ANSWERS_START;
        for (Map<?, ?> message : messages) {
            tokens += TOKENS_OF_A_MESSAGE + content(message.get("content"));
            tokens += TextPieces.countTree(message.get("name"));
            for (Map<?, ?> call : maps(message.get("tool_calls"))) {
                tokens += TextPieces.countTree(call.get("function"));
            }
        }
        return tokens + TextPieces.countTree(body.get("tools")) + TextPieces.countTree(body.get("response_format"));
    }

    private static long content(@Nullable Object content) {
        if (!(content instanceof List<?>)) {
            return TextPieces.countTree(content);
        }
        long tokens = 0;
        for (Map<?, ?> part : maps(content)) {
            tokens += switch (String.valueOf(part.get("type"))) {
                case "text" -> TextPieces.countTree(part.get("text"));
                case "image_url" -> image(part.get("image_url"));
                default -> TOKENS_OF_OTHER_MEDIA;
            };
        }
        return tokens;
    }

    private static long image(@Nullable Object image) {
        boolean small = image instanceof Map<?, ?> map && "low".equals(map.get("detail"));
        return small ? TOKENS_OF_A_SMALL_IMAGE : TOKENS_OF_AN_IMAGE;
    }

    private static String text(Map<?, ?> message) {
        Object content = message.get("content");
        if (content instanceof List<?>) {
            return maps(content).stream()
                    .map(part -> part.get("text"))
                    .filter(String.class::isInstance)
                    .map(String.class::cast)
                    .collect(Collectors.joining("\n"));
        }
        return content == null ? "" : content.toString();
    }

    private static List<Map<?, ?>> maps(@Nullable Object list) {
        List<Map<?, ?>> maps = new ArrayList<>();
        if (list instanceof List<?> items) {
            for (Object item : items) {
                if (item instanceof Map<?, ?> map) {
                    maps.add(map);
                }
            }
        }
        return maps;
    }
}
