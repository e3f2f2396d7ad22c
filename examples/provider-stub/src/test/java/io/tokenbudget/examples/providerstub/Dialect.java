package io.tokenbudget.examples.providerstub;

import io.tokenbudget.examples.providerstub.Client.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How the tests speak to the stub by one of its interfaces. */
interface Dialect {
    String QUESTION = "What is the weather in Paris?";
    Map<String, Object> SCHEMA = Map.of(
            "type", "object", "properties", Map.of("city", Map.of("type", "string")), "required", List.of("city"));

    /** What a client is told of the cost, in the stub's own terms. */
    record Told(long input, long cached, long cacheWrite, long output, long reasoning, long total) {}

    /** The format's name in the ledger. */
    String api();

    String path(String model, boolean streamed);

    /** The header with the API key. */
    Map.Entry<String, String> key(String key);

    /** Asks {@link #QUESTION}, with one tool {@code weather} if {@code tools}. */
    Map<String, Object> request(String model, boolean tools);

    /** Sets the bound on output. */
    void bound(Map<String, Object> request, long maxOutput);

    /** Asks for a stream, with usage. */
    void streamed(Map<String, Object> request);

    /** Asks to be shown the model's thoughts; false if this format shows none. */
    boolean showThoughts(Map<String, Object> request);

    String text(Reply reply);

    String thoughts(Reply reply);

    String text(List<Map<String, Object>> events);

    String thoughts(List<Map<String, Object>> events);

    @Nullable
    Told told(Reply reply);

    @Nullable
    Told told(List<Map<String, Object>> events);

    /** The arguments of the tool call in these events, joined. */
    String arguments(List<Map<String, Object>> events);

    /** Adds the reply and its tools' results to the conversation; false if it wants no tool called. */
    boolean goOn(Map<String, Object> request, Reply reply);

    /** What is in every line of a stream that holds a piece of text, and in no other. */
    String contentMark();

    /** The message of an error. */
    Object errorMessage(Map<String, Object> body);

    /** All values at {@code path} of the events, joined. */
    static String joined(List<Map<String, Object>> events, String path) {
        return events.stream()
                .map(event -> Client.at(event, path))
                .filter(Objects::nonNull)
                .map(Object::toString)
                .collect(Collectors.joining());
    }

    /** A conversation of which more can be said. */
    static List<Object> list(@Nullable Object conversation) {
        return conversation instanceof List<?> list ? new ArrayList<>(list) : new ArrayList<>();
    }

    static long number(@Nullable Object tree, String path) {
        return Client.at(tree, path) instanceof Number number ? number.longValue() : 0;
    }
}
