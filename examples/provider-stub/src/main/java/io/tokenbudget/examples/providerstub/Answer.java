package io.tokenbudget.examples.providerstub;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the model says, in no provider's words. With several answers wanted, each one is this.
 *
 * @param finish why it ended
 * @param pieces the text, a token each
 * @param toolCalls what it wants called
 * @param answers how many answers there are; 0 for an answer without content
 * @param cost what is billed for it
 * @param reported what the client is told, or null if nothing
 */
record Answer(
        Finish finish,
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

    /** The model wants a tool called with {@code arguments}, a JSON object. */
    record ToolCall(String id, String name, String arguments) {
        long tokens() {
            return TextPieces.count(name) + TextPieces.count(arguments);
        }
    }

    String text() {
        return String.join("", pieces);
    }
}
