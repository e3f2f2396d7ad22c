package io.tokenbudget.examples.providerstub;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.Map;

/** How one provider's API writes requests and answers down. Stateless and thread-safe. */
interface WireFormat {

    /**
     * Reads a request.
     *
     * @throws IllegalArgumentException with a sentence for the client, if it is not a request of this API
     */
    ModelRequest read(HttpExchange exchange, Map<String, Object> body);

    /** The body of a complete answer. */
    Map<String, Object> answer(ModelRequest request, Answer answer);

    /** Hands the events of a streamed answer to {@code sink}, each as it is made. */
    void stream(ModelRequest request, Answer answer, Sink sink) throws IOException, InterruptedException;

    /** The event that tells of an error in mid-stream. */
    Event errorEvent(String message);

    /** The body of an HTTP error. */
    Map<String, Object> error(int status, String message);

    /**
     * A server-sent event.
     *
     * @param text all its lines, without the empty one that ends it
     * @param outputTokens how much of the model's output it carries
     */
    record Event(String text, long outputTokens) {
        static Event data(Object json, long outputTokens) {
            return new Event("data: " + Http.write(json), outputTokens);
        }
    }

    /** Takes the events of one stream, in order; stops the stream by throwing. */
    interface Sink {
        void send(Event event) throws IOException, InterruptedException;

        /** Sends what follows the whole output: usage, end marks. */
        void sendTail(Event event) throws IOException;
    }
}
