package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Json.map;

import io.tokenbudget.examples.providerstub.Answer.ToolCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gemini's content, blocking and streamed as server-sent events. Each event of a stream tells the usage up to there.
 * Thoughts are shown to who asks for them, and billed in any case.
 */
final class GeminiFormat implements StreamingFormat {

    @Override
    public String name() {
        return "gemini";
    }

    @Override
    public ModelRequest read(WebRequest request) {
        return GeminiRequest.read(request);
    }

    @Override
    public Body answer(ModelRequest request, Answer answer) {
        List<Object> candidates = new ArrayList<>();
        for (int index = 0; index < answer.answers(); index++) {
            candidates.add(candidate(index, parts(request, answer), finish(answer)));
        }
        return Body.json(response(request, candidates, answer.reported()));
    }

    private static List<Object> parts(ModelRequest request, Answer answer) {
        List<Object> parts = new ArrayList<>();
        if (showsThoughts(request) && !answer.thoughts().isEmpty()) {
            parts.add(map("text", answer.thinking(), "thought", true));
        }
        if (!answer.pieces().isEmpty()) {
            parts.add(map("text", answer.text()));
        }
        for (ToolCall call : answer.toolCalls()) {
            parts.add(part(call));
        }
        return parts;
    }

    private static Map<String, Object> part(ToolCall call) {
        return map("functionCall", map("id", call.id(), "name", call.name(), "args", call.arguments()));
    }

    private static boolean showsThoughts(ModelRequest request) {
        Map<?, ?> config = Json.object(request.body().get("generationConfig"));
        return Boolean.TRUE.equals(Json.object(config.get("thinkingConfig")).get("includeThoughts"));
    }

    @Override
    public void stream(ModelRequest request, Answer answer, Sink sink) throws IOException, InterruptedException {
        CandidateStream stream = new CandidateStream(request, answer, sink);
        for (int index = 0; index < answer.answers(); index++) {
            stream.send(index);
        }
        List<Object> ends = new ArrayList<>();
        for (int index = 0; index < answer.answers(); index++) {
            ends.add(candidate(index, List.of(map("text", "")), finish(answer)));
        }
        sink.sendTail(Event.data(response(request, ends, answer.reported()), 0));
    }

    /** The events of all candidates, and what they have come to. Owned by the thread of its request. */
    private static final class CandidateStream {
        private final ModelRequest request;
        private final Answer answer;
        private final Sink sink;
        private long thought;
        private long spoken;

        CandidateStream(ModelRequest request, Answer answer, Sink sink) {
            this.request = request;
            this.answer = answer;
            this.sink = sink;
        }

        void send(int index) throws IOException, InterruptedException {
            if (showsThoughts(request)) {
                for (String piece : answer.thoughts()) {
                    thought++;
                    part(index, map("text", piece, "thought", true), 1);
                }
            } else {
                thought += answer.thoughts().size();
                sink.hidden(answer.thoughts().size());
            }
            for (String piece : answer.pieces()) {
                spoken++;
                part(index, map("text", piece), 1);
            }
            for (ToolCall call : answer.toolCalls()) {
                spoken += call.tokens();
                part(index, GeminiFormat.part(call), call.tokens());
            }
        }

        private void part(int index, Map<String, Object> part, long tokens) throws IOException, InterruptedException {
            List<Object> candidates = List.of(candidate(index, List.of(part), null));
            sink.send(Event.data(response(request, candidates, soFar()), tokens));
        }

        private @Nullable TokenCount soFar() {
            TokenCount reported = answer.reported();
            return reported == null || reported.total() == 0
                    ? reported
                    : new TokenCount(
                            reported.input(),
                            reported.cachedInput(),
                            reported.cacheWriteInput(),
                            thought + spoken,
                            thought);
        }
    }

    private static Map<String, Object> candidate(int index, List<?> parts, @Nullable String finish) {
        Map<String, Object> candidate = map("content", map("parts", parts, "role", "model"), "index", index);
        if (finish != null) {
            candidate.put("finishReason", finish);
        }
        return candidate;
    }

    private static Map<String, Object> response(
            ModelRequest request, List<Object> candidates, @Nullable TokenCount usage) {
        Map<String, Object> response =
                map("candidates", candidates, "modelVersion", request.model(), "responseId", "stub");
        if (usage != null) {
            response.put("usageMetadata", usage(usage));
        }
        return response;
    }

    /** Thoughts are no part of the candidates' tokens, but of the total. */
    private static Map<String, Object> usage(TokenCount count) {
        Map<String, Object> usage = map(
                "promptTokenCount", count.input(),
                "candidatesTokenCount", count.output() - count.reasoning(),
                "totalTokenCount", count.total());
        if (count.cachedInput() > 0) {
            usage.put("cachedContentTokenCount", count.cachedInput());
        }
        if (count.reasoning() > 0) {
            usage.put("thoughtsTokenCount", count.reasoning());
        }
        return usage;
    }

    private static String finish(Answer answer) {
        return switch (answer.finish()) {
            case STOP, TOOL_CALLS, REFUSAL -> "STOP";
            case LENGTH -> "MAX_TOKENS";
            case CONTENT_FILTER -> "SAFETY";
        };
    }

    @Override
    public Event errorEvent(ModelRequest request, String message) {
        return Event.data(error(503, message), 0);
    }

    @Override
    public Map<String, Object> error(int status, String message) {
        return errorBody(status, message);
    }

    static Map<String, Object> errorBody(int status, String message) {
        String name = switch (status) {
            case 401 -> "UNAUTHENTICATED";
            case 403 -> "PERMISSION_DENIED";
            case 404 -> "NOT_FOUND";
            case 429 -> "RESOURCE_EXHAUSTED";
            case 503 -> "UNAVAILABLE";
            case 504 -> "DEADLINE_EXCEEDED";
            default -> status >= 500 ? "INTERNAL" : "INVALID_ARGUMENT";
        };
        return map("error", map("code", status, "message", message, "status", name));
    }
}
