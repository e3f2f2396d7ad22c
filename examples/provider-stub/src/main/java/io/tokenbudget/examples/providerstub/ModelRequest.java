package io.tokenbudget.examples.providerstub;

import io.tokenbudget.examples.providerstub.Turn.Role;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client asks for, in no provider's words.
 *
 * @param key the API key, empty if none
 * @param model the model's name, which chooses the scenario
 * @param turns the conversation, at least one message
 * @param promptTokens tokens of everything received
 * @param tools what the model may call; empty if it may call nothing
 * @param maxOutput the bound on the output of one answer, or null
 * @param otherOutput the tokens of one answer if it is no text but a vector, an image or the like; otherwise null
 * @param answers how many answers are wanted
 * @param stream whether the answer is to be streamed
 * @param body the whole request, for the format that has read it
 */
record ModelRequest(
        String key,
        String model,
        List<Turn> turns,
        long promptTokens,
        List<Tool> tools,
        @Nullable Long maxOutput,
        @Nullable Long otherOutput,
        int answers,
        boolean stream,
        Map<String, Object> body) {
    private static final long TOKENS_OF_A_MESSAGE = 3;
    private static final long TOKENS_OF_THE_ANSWERS_START = 3;

    /** A tool and the JSON schema of its arguments. */
    record Tool(String name, Map<?, ?> schema) {}

    /**
     * Tokens of a conversation.
     *
     * @param otherTokens of what is no message: tools, schemas
     */
    static long chatTokens(List<Turn> turns, long otherTokens) {
        long tokens = TOKENS_OF_THE_ANSWERS_START + otherTokens;
        for (Turn turn : turns) {
            tokens += TOKENS_OF_A_MESSAGE + turn.tokens();
        }
        return tokens;
    }

    /**
     * A request that wants no text.
     *
     * @param answers how many vectors, images or the like are wanted
     * @param outputOfEach what each is billed
     */
    static ModelRequest ofInputs(
            String key, String model, List<Turn> inputs, int answers, long outputOfEach, Map<String, Object> body) {
        long tokens = inputs.stream().mapToLong(Turn::tokens).sum();
        return new ModelRequest(key, model, inputs, tokens, List.of(), null, outputOfEach, answers, false, body);
    }

    /** The last thing the user said. */
    String question() {
        int last = lastQuestion();
        return last < 0 ? "" : turns.get(last).text();
    }

    /** What the last tool answered, or null if no tool spoke last. */
    @Nullable
    String toolResult() {
        Turn last = turns.get(turns.size() - 1);
        return last.role() == Role.TOOL ? last.text() : null;
    }

    /** How many rounds of tool calls have been answered since the user spoke last. */
    int toolRoundsDone() {
        return (int) turns.subList(lastQuestion() + 1, turns.size()).stream()
                .filter(Turn::callsTools)
                .count();
    }

    private int lastQuestion() {
        for (int i = turns.size() - 1; i >= 0; i--) {
            if (turns.get(i).role() == Role.USER) {
                return i;
            }
        }
        return -1;
    }
}
