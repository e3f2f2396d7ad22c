package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Json.map;

import io.tokenbudget.examples.providerstub.Answer.Finish;
import io.tokenbudget.examples.providerstub.Answer.ToolCall;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Ollama's chat and generate, blocking and streamed, the latter unless the request says otherwise. Thoughts are shown to
 * who asks for them, and counted in any case.
 */
final class OllamaFormat implements StreamingFormat {
    private static final String CREATED = "2026-01-01T00:00:00Z";

    private final boolean chat;

    private OllamaFormat(boolean chat) {
        this.chat = chat;
    }

    static OllamaFormat chat() {
        return new OllamaFormat(true);
    }

    /** Without roles and without tools. */
    static OllamaFormat generate() {
        return new OllamaFormat(false);
    }

    @Override
    public String name() {
        return chat ? "ollama-chat" : "ollama-generate";
    }

    @Override
    public Framing framing() {
        return Framing.LINES;
    }

    @Override
    public ModelRequest read(WebRequest request) {
        return chat
                ? OllamaRequest.readChat(request.bearer(), request.json())
                : OllamaRequest.readGenerate(request.bearer(), request.json());
    }

    @Override
    public Body answer(ModelRequest request, Answer answer) {
        boolean content = answer.answers() > 0;
        Map<String, Object> body = line(
                request,
                content ? answer.text() : "",
                content && showsThoughts(request) ? answer.thinking() : "",
                content ? answer.toolCalls() : List.of());
        body.putAll(end(answer));
        return Body.json(body);
    }

    @Override
    public void stream(ModelRequest request, Answer answer, Sink sink) throws IOException, InterruptedException {
        if (answer.answers() > 0) {
            streamContent(request, answer, sink);
        }
        Map<String, Object> last = line(request, "", "", List.of());
        last.putAll(end(answer));
        sink.sendTail(event(last, 0));
    }

    private void streamContent(ModelRequest request, Answer answer, Sink sink)
            throws IOException, InterruptedException {
        if (showsThoughts(request)) {
            for (String thought : answer.thoughts()) {
                part(sink, line(request, "", thought, List.of()), 1);
            }
        } else {
            sink.hidden(answer.thoughts().size());
        }
        for (String piece : answer.pieces()) {
            part(sink, line(request, piece, "", List.of()), 1);
        }
        for (ToolCall call : answer.toolCalls()) {
            part(sink, line(request, "", "", List.of(call)), call.tokens());
        }
    }

    private static void part(Sink sink, Map<String, Object> line, long tokens)
            throws IOException, InterruptedException {
        line.put("done", false);
        sink.send(event(line, tokens));
    }

    private static Event event(Map<String, Object> line, long tokens) {
        return new Event("", Json.write(line), tokens);
    }

    private static boolean showsThoughts(ModelRequest request) {
        Object think = request.body().get("think");
        return think != null && !Boolean.FALSE.equals(think);
    }

    private Map<String, Object> line(ModelRequest request, String text, String thinking, List<ToolCall> calls) {
        Map<String, Object> said = chat ? map("role", "assistant", "content", text) : map("response", text);
        if (!thinking.isEmpty()) {
            said.put("thinking", thinking);
        }
        if (!calls.isEmpty()) {
            said.put(
                    "tool_calls",
                    calls.stream()
                            .map(call -> map(
                                    "id",
                                    call.id(),
                                    "function",
                                    map("name", call.name(), "arguments", call.arguments())))
                            .toList());
        }
        Map<String, Object> line = map("model", request.model(), "created_at", CREATED);
        line.putAll(chat ? map("message", said) : said);
        return line;
    }

    private static Map<String, Object> end(Answer answer) {
        Map<String, Object> end = map(
                "done",
                true,
                "done_reason",
                answer.finish() == Finish.LENGTH ? "length" : "stop",
                "total_duration",
                2_000_000,
                "load_duration",
                1_000_000);
        TokenCount usage = answer.reported();
        if (usage != null) {
            end.put("prompt_eval_count", usage.input());
            end.put("prompt_eval_duration", 500_000);
            end.put("eval_count", usage.output());
            end.put("eval_duration", 500_000);
        }
        return end;
    }

    @Override
    public Event errorEvent(ModelRequest request, String message) {
        return event(error(500, message), 0);
    }

    @Override
    public Map<String, Object> error(int status, String message) {
        return map("error", message);
    }
}
