package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Json.map;

import io.tokenbudget.examples.providerstub.Answer.ToolCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** OpenAI's chat completions, blocking and streamed. */
final class OpenAiChatFormat extends OpenAiFormat implements StreamingFormat {
    /** The last event of a stream. */
    static final Event DONE = new Event("data: ", "[DONE]", 0);

    private final AtomicLong ids = new AtomicLong();

    OpenAiChatFormat() {
        super("openai-chat");
    }

    @Override
    public ModelRequest read(WebRequest request) {
        return OpenAiChatRequest.read(request.bearer(), request.json());
    }

    @Override
    public Body answer(ModelRequest request, Answer answer) {
        List<Object> choices = new ArrayList<>();
        for (int index = 0; index < answer.answers(); index++) {
            choices.add(
                    map("index", index, "message", message(answer), "logprobs", null, "finish_reason", finish(answer)));
        }
        Map<String, Object> body = envelope("chat.completion", nextId(), request, choices);
        if (answer.reported() != null) {
            body.put("usage", usage(answer.reported()));
        }
        return Body.json(body);
    }

    private static Map<String, Object> message(Answer answer) {
        boolean refused = answer.finish() == Answer.Finish.REFUSAL;
        boolean tools = !answer.toolCalls().isEmpty();
        Map<String, Object> message = map(
                "role",
                "assistant",
                "content",
                refused || tools ? null : answer.text(),
                "refusal",
                refused ? answer.text() : null,
                "annotations",
                List.of());
        if (tools) {
            message.put(
                    "tool_calls",
                    answer.toolCalls().stream()
                            .map(call -> map(
                                    "id", call.id(),
                                    "type", "function",
                                    "function", map("name", call.name(), "arguments", call.json())))
                            .toList());
        }
        return message;
    }

    @Override
    public void stream(ModelRequest request, Answer answer, Sink sink) throws IOException, InterruptedException {
        String id = nextId();
        for (int index = 0; index < answer.answers(); index++) {
            sink.hidden(answer.thoughts().size());
            new ChoiceStream(id, request, index, sink).send(answer);
        }
        TokenCount reported = answer.reported();
        if (wantsUsage(request) && reported != null) {
            Map<String, Object> chunk = chunk(id, request, List.of());
            chunk.put("usage", usage(reported));
            sink.sendTail(Event.data(chunk, 0));
        }
        sink.sendTail(DONE);
    }

    /** The chunks of one choice. */
    private record ChoiceStream(String id, ModelRequest request, int index, Sink sink) {

        void send(Answer answer) throws IOException, InterruptedException {
            delta(map("role", "assistant", "content", "", "refusal", null), null, 0);
            String field = answer.finish() == Answer.Finish.REFUSAL ? "refusal" : "content";
            for (String piece : answer.pieces()) {
                delta(map(field, piece), null, 1);
            }
            for (int position = 0; position < answer.toolCalls().size(); position++) {
                toolCall(position, answer.toolCalls().get(position));
            }
            delta(map(), finish(answer), 0);
        }

        private void toolCall(int position, ToolCall call) throws IOException, InterruptedException {
            Map<String, Object> head = map(
                    "index",
                    position,
                    "id",
                    call.id(),
                    "type",
                    "function",
                    "function",
                    map("name", call.name(), "arguments", ""));
            delta(map("tool_calls", List.of(head)), null, TextPieces.count(call.name()));
            for (String piece : TextPieces.of(call.json())) {
                Map<String, Object> part = map("index", position, "function", map("arguments", piece));
                delta(map("tool_calls", List.of(part)), null, 1);
            }
        }

        private void delta(Map<String, Object> delta, @Nullable String finish, long tokens)
                throws IOException, InterruptedException {
            Map<String, Object> choice = map("index", index, "delta", delta, "logprobs", null, "finish_reason", finish);
            sink.send(Event.data(chunk(id, request, List.of(choice)), tokens));
        }
    }

    private static Map<String, Object> chunk(String id, ModelRequest request, List<?> choices) {
        Map<String, Object> chunk = envelope("chat.completion.chunk", id, request, choices);
        if (wantsUsage(request)) {
            chunk.put("usage", null);
        }
        return chunk;
    }

    private static Map<String, Object> envelope(String object, String id, ModelRequest request, List<?> choices) {
        return map(
                "id",
                id,
                "object",
                object,
                "created",
                CREATED,
                "model",
                request.model(),
                "choices",
                choices,
                "service_tier",
                "default",
                "system_fingerprint",
                "fp_stub");
    }

    static Map<String, Object> usage(TokenCount count) {
        return map(
                "prompt_tokens",
                count.input(),
                "completion_tokens",
                count.output(),
                "total_tokens",
                count.total(),
                "prompt_tokens_details",
                map("cached_tokens", count.cachedInput(), "audio_tokens", 0),
                "completion_tokens_details",
                map(
                        "reasoning_tokens", count.reasoning(),
                        "audio_tokens", 0,
                        "accepted_prediction_tokens", 0,
                        "rejected_prediction_tokens", 0));
    }

    private static String finish(Answer answer) {
        return switch (answer.finish()) {
            case STOP, REFUSAL -> "stop";
            case LENGTH -> "length";
            case TOOL_CALLS -> "tool_calls";
            case CONTENT_FILTER -> "content_filter";
        };
    }

    static boolean wantsUsage(ModelRequest request) {
        return Boolean.TRUE.equals(
                Json.object(request.body().get("stream_options")).get("include_usage"));
    }

    @Override
    public Event errorEvent(ModelRequest request, String message) {
        return Event.named("error", error(500, message), 0);
    }

    private String nextId() {
        return "chatcmpl-" + ids.incrementAndGet();
    }
}
