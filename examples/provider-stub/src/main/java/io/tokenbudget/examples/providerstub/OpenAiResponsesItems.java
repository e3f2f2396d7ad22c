package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Json.map;

import io.tokenbudget.examples.providerstub.Answer.Finish;
import io.tokenbudget.examples.providerstub.Answer.ToolCall;
import java.util.List;
import java.util.Map;

/** What the output of OpenAI's Responses API is made of. */
final class OpenAiResponsesItems {
    private OpenAiResponsesItems() {}

    static Map<String, Object> reasoning(String responseId) {
        return map("id", "rs_" + responseId, "type", "reasoning", "summary", List.of());
    }

    static Map<String, Object> message(String responseId, String status, List<?> content) {
        return map(
                "id",
                "msg_" + responseId,
                "type",
                "message",
                "status",
                status,
                "role",
                "assistant",
                "content",
                content);
    }

    /** The answer's text as the one part of a message. */
    static Map<String, Object> part(Answer answer) {
        return part(answer, answer.text());
    }

    static Map<String, Object> part(Answer answer, String text) {
        return answer.finish() == Finish.REFUSAL
                ? map("type", "refusal", "refusal", text)
                : map("type", "output_text", "text", text, "annotations", List.of(), "logprobs", List.of());
    }

    static Map<String, Object> call(ToolCall call, String status, String arguments) {
        return map(
                "id",
                "fc_" + call.id(),
                "type",
                "function_call",
                "status",
                status,
                "call_id",
                call.id(),
                "name",
                call.name(),
                "arguments",
                arguments);
    }
}
