package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Json.map;

import io.tokenbudget.examples.providerstub.Answer.ToolCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Anthropic's messages, blocking and streamed. Thoughts are shown to a client that has turned thinking on, and billed in
 * any case.
 */
final class AnthropicFormat implements StreamingFormat {
    private static final String SIGNATURE = "c2lnbmVkIGJ5IHRoZSBzdHVi";

    private final AtomicLong ids = new AtomicLong();

    @Override
    public String name() {
        return "anthropic";
    }

    @Override
    public ModelRequest read(WebRequest request) {
        String key = request.header("x-api-key");
        return AnthropicRequest.read(key.isEmpty() ? request.bearer() : key, request.json());
    }

    @Override
    public Body answer(ModelRequest request, Answer answer) {
        return Body.json(message(request, content(request, answer), finish(answer), answer.reported()));
    }

    private Map<String, Object> message(
            ModelRequest request, List<?> content, @Nullable String stopReason, @Nullable TokenCount usage) {
        Map<String, Object> message = map(
                "id",
                "msg_" + ids.incrementAndGet(),
                "type",
                "message",
                "role",
                "assistant",
                "model",
                request.model(),
                "content",
                content,
                "stop_reason",
                stopReason,
                "stop_sequence",
                null);
        if (usage != null) {
            message.put("usage", usage(usage));
        }
        return message;
    }

    private static List<Object> content(ModelRequest request, Answer answer) {
        List<Object> content = new ArrayList<>();
        if (answer.answers() > 0) {
            if (showsThoughts(request, answer)) {
                content.add(map("type", "thinking", "thinking", answer.thinking(), "signature", SIGNATURE));
            }
            if (!answer.pieces().isEmpty()) {
                content.add(map("type", "text", "text", answer.text()));
            }
            for (ToolCall call : answer.toolCalls()) {
                content.add(map("type", "tool_use", "id", call.id(), "name", call.name(), "input", call.arguments()));
            }
        }
        return content;
    }

    private static boolean showsThoughts(ModelRequest request, Answer answer) {
        Map<?, ?> thinking = Json.object(request.body().get("thinking"));
        boolean on = "enabled".equals(thinking.get("type")) || "adaptive".equals(thinking.get("type"));
        return on
                && !"omitted".equals(thinking.get("display"))
                && !answer.thoughts().isEmpty();
    }

    @Override
    public void stream(ModelRequest request, Answer answer, Sink sink) throws IOException, InterruptedException {
        TokenCount reported = answer.reported();
        Map<String, Object> start =
                message(request, List.of(), null, reported == null ? null : reported.withOutput(begun(reported)));
        sink.send(event("message_start", 0, "message", start));
        sink.send(event("ping", 0));
        if (answer.answers() > 0) {
            streamContent(request, answer, sink);
        }
        Map<String, Object> end =
                map("type", "message_delta", "delta", map("stop_reason", finish(answer), "stop_sequence", null));
        if (reported != null) {
            end.put("usage", usage(reported));
        }
        sink.sendTail(Event.named("message_delta", end, 0));
        sink.sendTail(event("message_stop", 0));
    }

    /** The first event tells of a token or two, not of what is to come. */
    private static long begun(TokenCount reported) {
        return Math.min(1, reported.output());
    }

    private static void streamContent(ModelRequest request, Answer answer, Sink sink)
            throws IOException, InterruptedException {
        int index = 0;
        if (showsThoughts(request, answer)) {
            start(sink, index, map("type", "thinking", "thinking", "", "signature", ""), 0);
            deltas(sink, index, "thinking_delta", "thinking", answer.thoughts());
            Map<String, Object> signature = map("type", "signature_delta", "signature", SIGNATURE);
            sink.send(event("content_block_delta", 0, "index", index, "delta", signature));
            stop(sink, index++);
        } else {
            sink.hidden(answer.thoughts().size());
        }
        if (!answer.pieces().isEmpty()) {
            start(sink, index, map("type", "text", "text", ""), 0);
            deltas(sink, index, "text_delta", "text", answer.pieces());
            stop(sink, index++);
        }
        for (ToolCall call : answer.toolCalls()) {
            Map<String, Object> block = map("type", "tool_use", "id", call.id(), "name", call.name(), "input", map());
            start(sink, index, block, TextPieces.count(call.name()));
            deltas(sink, index, "input_json_delta", "partial_json", TextPieces.of(call.json()));
            stop(sink, index++);
        }
    }

    private static void start(Sink sink, int index, Map<String, Object> block, long tokens)
            throws IOException, InterruptedException {
        sink.send(event("content_block_start", tokens, "index", index, "content_block", block));
    }

    private static void deltas(Sink sink, int index, String type, String field, List<String> pieces)
            throws IOException, InterruptedException {
        for (String piece : pieces) {
            sink.send(event("content_block_delta", 1, "index", index, "delta", map("type", type, field, piece)));
        }
    }

    private static void stop(Sink sink, int index) throws IOException, InterruptedException {
        sink.send(event("content_block_stop", 0, "index", index));
    }

    private static Event event(String type, long tokens, Object... keysAndValues) {
        Map<String, Object> data = map("type", type);
        data.putAll(map(keysAndValues));
        return Event.named(type, data, tokens);
    }

    /** Input without what the cache has to do with. */
    private static Map<String, Object> usage(TokenCount count) {
        return map(
                "input_tokens",
                count.input() - count.cachedInput() - count.cacheWriteInput(),
                "cache_creation_input_tokens",
                count.cacheWriteInput(),
                "cache_read_input_tokens",
                count.cachedInput(),
                "output_tokens",
                count.output());
    }

    private static String finish(Answer answer) {
        return switch (answer.finish()) {
            case STOP -> "end_turn";
            case LENGTH -> "max_tokens";
            case TOOL_CALLS -> "tool_use";
            case CONTENT_FILTER, REFUSAL -> "refusal";
        };
    }

    @Override
    public Event errorEvent(ModelRequest request, String message) {
        return Event.named("error", error(529, message), 0);
    }

    @Override
    public Map<String, Object> error(int status, String message) {
        String type = switch (status) {
            case 401 -> "authentication_error";
            case 403 -> "permission_error";
            case 404 -> "not_found_error";
            case 429 -> "rate_limit_error";
            case 529 -> "overloaded_error";
            default -> status >= 500 ? "api_error" : "invalid_request_error";
        };
        return map("type", "error", "error", map("type", type, "message", message));
    }
}
