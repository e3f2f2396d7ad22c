package io.tokenbudget.examples.providerstub;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client asks for, in no provider's words.
 *
 * @param key the API key, empty if none
 * @param model the model's name, which chooses the scenario
 * @param fingerprint the same for the same conversation: tells a retry from another call
 * @param promptTokens tokens of everything received
 * @param question the last thing the user said
 * @param toolResult what the last tool answered, or null
 * @param toolRoundsDone how many rounds of tool calls have been answered since the user spoke last
 * @param tools what the model may call; empty if it may call nothing
 * @param maxOutput the bound on the output of one answer, or null
 * @param answers how many answers are wanted
 * @param stream whether the answer is to be streamed
 * @param usageInStream whether the stream is to end with the usage
 */
record ModelRequest(
        String key,
        String model,
        String fingerprint,
        long promptTokens,
        String question,
        @Nullable String toolResult,
        int toolRoundsDone,
        List<Tool> tools,
        @Nullable Long maxOutput,
        int answers,
        boolean stream,
        boolean usageInStream) {

    /** A tool and the JSON schema of its arguments. */
    record Tool(String name, Map<?, ?> schema) {}
}
