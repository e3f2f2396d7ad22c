package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Json.map;

import io.tokenbudget.examples.providerstub.Answer.Finish;
import io.tokenbudget.examples.providerstub.Answer.ToolCall;
import io.tokenbudget.examples.providerstub.StreamingFormat.Event;
import io.tokenbudget.examples.providerstub.StreamingFormat.Sink;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The typed events of one response of OpenAI's Responses API. Owned by the thread of its request. */
final class OpenAiResponsesStream {
    private final String id;
    private final Answer answer;
    private final Sink sink;
    private int events;
    private int items;

    OpenAiResponsesStream(String id, Answer answer, Sink sink) {
        this.id = id;
        this.answer = answer;
        this.sink = sink;
    }

    void begin(Map<String, Object> response) throws IOException, InterruptedException {
        send("response.created", 0, "response", response);
        send("response.in_progress", 0, "response", response);
    }

    void sendItems() throws IOException, InterruptedException {
        if (!answer.thoughts().isEmpty()) {
            sink.hidden(answer.thoughts().size());
            added(OpenAiResponsesItems.reasoning(id), 0);
            done(OpenAiResponsesItems.reasoning(id));
        }
        if (!answer.pieces().isEmpty()) {
            sendMessage();
        }
        for (ToolCall call : answer.toolCalls()) {
            sendCall(call);
        }
    }

    void end(String type, Map<String, Object> response) throws IOException, InterruptedException {
        sink.sendTail(event(type, 0, "response", response));
    }

    private void sendMessage() throws IOException, InterruptedException {
        boolean refused = answer.finish() == Finish.REFUSAL;
        String type = refused ? "response.refusal" : "response.output_text";
        String item = "msg_" + id;
        added(OpenAiResponsesItems.message(id, "in_progress", List.of()), 0);
        part("response.content_part.added", 0, item, "part", OpenAiResponsesItems.part(answer, ""));
        for (String piece : answer.pieces()) {
            part(type + ".delta", 1, item, "delta", piece);
        }
        part(type + ".done", 0, item, refused ? "refusal" : "text", answer.text());
        part("response.content_part.done", 0, item, "part", OpenAiResponsesItems.part(answer));
        done(OpenAiResponsesItems.message(id, "completed", List.of(OpenAiResponsesItems.part(answer))));
    }

    private void sendCall(ToolCall call) throws IOException, InterruptedException {
        String item = "fc_" + call.id();
        added(OpenAiResponsesItems.call(call, "in_progress", ""), TextPieces.count(call.name()));
        String type = "response.function_call_arguments";
        for (String piece : TextPieces.of(call.json())) {
            send(type + ".delta", 1, "item_id", item, "output_index", items, "delta", piece);
        }
        send(type + ".done", 0, "item_id", item, "output_index", items, "arguments", call.json());
        done(OpenAiResponsesItems.call(call, "completed", call.json()));
    }

    private void added(Map<String, Object> item, long tokens) throws IOException, InterruptedException {
        send("response.output_item.added", tokens, "output_index", items, "item", item);
    }

    private void done(Map<String, Object> item) throws IOException, InterruptedException {
        send("response.output_item.done", 0, "output_index", items++, "item", item);
    }

    private void part(String type, long tokens, String item, String field, Object value)
            throws IOException, InterruptedException {
        send(
                type,
                tokens,
                "item_id",
                item,
                "output_index",
                items,
                "content_index",
                0,
                "logprobs",
                List.of(),
                field,
                value);
    }

    private void send(String type, long tokens, Object... fields) throws IOException, InterruptedException {
        sink.send(event(type, tokens, fields));
    }

    private Event event(String type, long tokens, Object... fields) {
        Map<String, Object> data = map("type", type, "sequence_number", events++);
        data.putAll(map(fields));
        return Event.named(type, data, tokens);
    }
}
