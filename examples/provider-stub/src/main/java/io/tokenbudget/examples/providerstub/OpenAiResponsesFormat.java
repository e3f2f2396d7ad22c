package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Json.map;

import io.tokenbudget.examples.providerstub.Answer.ToolCall;
import io.tokenbudget.examples.providerstub.Turn.Role;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * OpenAI's Responses API, blocking and streamed. Thoughts are never shown. A conversation is remembered by the id of its
 * last response: whoever continues it pays for all of it.
 */
final class OpenAiResponsesFormat extends OpenAiFormat implements StreamingFormat {
    private static final int MOST_REMEMBERED = 10_000;

    private final AtomicLong ids = new AtomicLong();
    private final Map<String, List<Turn>> conversations = Collections.synchronizedMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, List<Turn>> eldest) {
            return size() > MOST_REMEMBERED;
        }
    });

    OpenAiResponsesFormat() {
        super("openai-responses");
    }

    @Override
    public ModelRequest read(WebRequest request) {
        Map<String, Object> body = request.json();
        return OpenAiResponsesRequest.read(request.bearer(), body, earlier(body.get("previous_response_id")));
    }

    private List<Turn> earlier(@Nullable Object responseId) {
        if (responseId == null) {
            return List.of();
        }
        List<Turn> turns = conversations.get(responseId.toString());
        if (turns == null) {
            throw new IllegalArgumentException("Previous response with id '" + responseId + "' not found.");
        }
        return turns;
    }

    private void remember(String id, ModelRequest request, Answer answer) {
        if (!Boolean.FALSE.equals(request.body().get("store"))) {
            List<Turn> turns = new ArrayList<>(request.turns());
            turns.removeIf(turn -> turn.role() == Role.SYSTEM);
            long calls = answer.toolCalls().stream().mapToLong(ToolCall::tokens).sum();
            turns.add(new Turn(
                    Role.MODEL,
                    answer.text(),
                    !answer.toolCalls().isEmpty(),
                    answer.pieces().size() + calls));
            conversations.put(id, turns);
        }
    }

    @Override
    public Body answer(ModelRequest request, Answer answer) {
        String id = nextId();
        remember(id, request, answer);
        return Body.json(finished(id, request, answer));
    }

    @Override
    public void stream(ModelRequest request, Answer answer, Sink sink) throws IOException, InterruptedException {
        String id = nextId();
        OpenAiResponsesStream stream = new OpenAiResponsesStream(id, answer, sink);
        stream.begin(response(id, request, "in_progress", List.of()));
        if (answer.answers() > 0) {
            stream.sendItems();
        }
        remember(id, request, answer);
        Map<String, Object> response = finished(id, request, answer);
        stream.end("response." + response.get("status"), response);
    }

    private static Map<String, Object> finished(String id, ModelRequest request, Answer answer) {
        String cutShort = switch (answer.finish()) {
            case LENGTH -> "max_output_tokens";
            case CONTENT_FILTER -> "content_filter";
            default -> null;
        };
        List<Object> items = answer.answers() == 0 ? List.of() : items(id, answer);
        Map<String, Object> response = response(id, request, cutShort == null ? "completed" : "incomplete", items);
        if (cutShort != null) {
            response.put("incomplete_details", map("reason", cutShort));
        }
        TokenCount usage = answer.reported();
        if (usage != null) {
            response.put("usage", usage(usage));
        }
        return response;
    }

    private static List<Object> items(String id, Answer answer) {
        List<Object> items = new ArrayList<>();
        if (!answer.thoughts().isEmpty()) {
            items.add(OpenAiResponsesItems.reasoning(id));
        }
        if (!answer.pieces().isEmpty()) {
            items.add(OpenAiResponsesItems.message(id, "completed", List.of(OpenAiResponsesItems.part(answer))));
        }
        for (ToolCall call : answer.toolCalls()) {
            items.add(OpenAiResponsesItems.call(call, "completed", call.json()));
        }
        return items;
    }

    private static Map<String, Object> response(String id, ModelRequest request, String status, List<Object> output) {
        Map<String, Object> asked = request.body();
        return map(
                "id",
                id,
                "object",
                "response",
                "created_at",
                CREATED,
                "status",
                status,
                "error",
                null,
                "incomplete_details",
                null,
                "instructions",
                asked.get("instructions"),
                "max_output_tokens",
                asked.get("max_output_tokens"),
                "model",
                request.model(),
                "output",
                output,
                "parallel_tool_calls",
                true,
                "previous_response_id",
                asked.get("previous_response_id"),
                "reasoning",
                map("effort", null, "summary", null),
                "store",
                !Boolean.FALSE.equals(asked.get("store")),
                "temperature",
                1.0,
                "text",
                map("format", map("type", "text")),
                "tool_choice",
                "auto",
                "tools",
                asked.getOrDefault("tools", List.of()),
                "top_p",
                1.0,
                "truncation",
                "disabled",
                "usage",
                null,
                "metadata",
                map());
    }

    private static Map<String, Object> usage(TokenCount count) {
        return map(
                "input_tokens", count.input(),
                "input_tokens_details", map("cached_tokens", count.cachedInput()),
                "output_tokens", count.output(),
                "output_tokens_details", map("reasoning_tokens", count.reasoning()),
                "total_tokens", count.total());
    }

    @Override
    public Event errorEvent(ModelRequest request, String message) {
        Map<String, Object> response = response(nextId(), request, "failed", List.of());
        response.put("error", map("code", "server_error", "message", message));
        return Event.named("response.failed", map("type", "response.failed", "response", response), 0);
    }

    private String nextId() {
        return "resp_" + ids.incrementAndGet();
    }
}
