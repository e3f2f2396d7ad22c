package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Json.map;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** OpenAI's first interface, text to text, blocking and streamed. */
final class OpenAiCompletionsFormat extends OpenAiFormat implements StreamingFormat {

    OpenAiCompletionsFormat() {
        super("openai-completions");
    }

    @Override
    public ModelRequest read(WebRequest request) {
        Map<String, Object> body = request.json();
        Turn prompt = Turn.user(required(body, "prompt"));
        return new ModelRequest(
                request.bearer(),
                required(body, "model"),
                List.of(prompt),
                prompt.tokens(),
                List.of(),
                Json.number(body.get("max_tokens")),
                null,
                body.get("n") instanceof Number n ? n.intValue() : 1,
                Boolean.TRUE.equals(body.get("stream")),
                body);
    }

    @Override
    public Body answer(ModelRequest request, Answer answer) {
        List<Object> choices = new ArrayList<>();
        for (int index = 0; index < answer.answers(); index++) {
            choices.add(choice(index, answer.text(), finish(answer)));
        }
        Map<String, Object> body = envelope(request, choices);
        if (answer.reported() != null) {
            body.put("usage", OpenAiChatFormat.usage(answer.reported()));
        }
        return Body.json(body);
    }

    @Override
    public void stream(ModelRequest request, Answer answer, Sink sink) throws IOException, InterruptedException {
        for (int index = 0; index < answer.answers(); index++) {
            sink.hidden(answer.thoughts().size());
            for (String piece : answer.pieces()) {
                sink.send(Event.data(envelope(request, List.of(choice(index, piece, null))), 1));
            }
            sink.send(Event.data(envelope(request, List.of(choice(index, "", finish(answer)))), 0));
        }
        if (OpenAiChatFormat.wantsUsage(request) && answer.reported() != null) {
            Map<String, Object> chunk = envelope(request, List.of());
            chunk.put("usage", OpenAiChatFormat.usage(answer.reported()));
            sink.sendTail(Event.data(chunk, 0));
        }
        sink.sendTail(OpenAiChatFormat.DONE);
    }

    private static Map<String, Object> envelope(ModelRequest request, List<?> choices) {
        return map(
                "id",
                "cmpl-stub",
                "object",
                "text_completion",
                "created",
                CREATED,
                "model",
                request.model(),
                "choices",
                choices);
    }

    private static Map<String, Object> choice(int index, String text, @Nullable String finish) {
        return map("text", text, "index", index, "logprobs", null, "finish_reason", finish);
    }

    private static String finish(Answer answer) {
        return switch (answer.finish()) {
            case LENGTH -> "length";
            case CONTENT_FILTER -> "content_filter";
            case STOP, REFUSAL, TOOL_CALLS -> "stop";
        };
    }

    @Override
    public Event errorEvent(ModelRequest request, String message) {
        return Event.named("error", error(500, message), 0);
    }
}
