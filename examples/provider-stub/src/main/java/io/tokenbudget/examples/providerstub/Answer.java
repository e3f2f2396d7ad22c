package io.tokenbudget.examples.providerstub;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the model says, in no provider's words. With several answers wanted, each one is this.
 *
 * @param finish why it ended
 * @param thoughts what it thought before it spoke, a token each; formats that do not show it bill it all the same
 * @param pieces the text, a token each
 * @param toolCalls what it wants called
 * @param answers how many answers there are; 0 for an answer without content
 * @param cost what is billed for it
 * @param reported what the client is told, or null if nothing
 */
record Answer(
        Finish finish,
        List<String> thoughts,
        List<String> pieces,
        List<ToolCall> toolCalls,
        int answers,
        TokenCount cost,
        @Nullable TokenCount reported) {

    enum Finish {
        STOP,
        LENGTH,
        TOOL_CALLS,
        CONTENT_FILTER,
        REFUSAL
    }

    /** The model wants a tool called with {@code arguments}. */
    record ToolCall(String id, String name, Map<String, Object> arguments) {
        /** The arguments as a JSON text. */
        String json() {
            return Json.write(arguments);
        }

        long tokens() {
            return TextPieces.count(name) + TextPieces.count(json());
        }
    }

    String thinking() {
        return String.join("", thoughts);
    }

    String text() {
        return String.join("", pieces);
    }
}
