package io.tokenbudget.examples.providerstub;

import java.io.IOException;

/** A format whose answers can be streamed. */
interface StreamingFormat extends WireFormat {

    /** How its events follow each other. */
    default Framing framing() {
        return Framing.SERVER_SENT_EVENTS;
    }

    /** Hands the events of a streamed answer to {@code sink}, each as it is made. */
    void stream(ModelRequest request, Answer answer, Sink sink) throws IOException, InterruptedException;

    /** The event that tells of an error in mid-stream. */
    Event errorEvent(ModelRequest request, String message);

    enum Framing {
        SERVER_SENT_EVENTS("text/event-stream", "\n\n"),
        LINES("application/x-ndjson", "\n");

        final String contentType;
        final String end;

        Framing(String contentType, String end) {
            this.contentType = contentType;
            this.end = end;
        }
    }

    /**
     * One event of a stream, without what ends it.
     *
     * @param head what stands before the JSON
     * @param outputTokens how much of the model's output it carries
     */
    record Event(String head, String json, long outputTokens) {

        /** A server-sent event without a name. */
        static Event data(Object json, long outputTokens) {
            return new Event("data: ", Json.write(json), outputTokens);
        }

        /** A server-sent event with a name. */
        static Event named(String name, Object json, long outputTokens) {
            return new Event("event: " + name + "\ndata: ", Json.write(json), outputTokens);
        }

        String text() {
            return head + json;
        }

        /** With half of its JSON. */
        Event broken() {
            return new Event(head, json.substring(0, json.length() / 2), outputTokens);
        }
    }

    /** Takes the events of one stream, in order; stops the stream by throwing. */
    interface Sink {
        /** The model has produced tokens that no event shows. */
        void hidden(long outputTokens);

        void send(Event event) throws IOException, InterruptedException;

        /** Sends what follows the whole output: usage, end marks. */
        void sendTail(Event event) throws IOException, InterruptedException;
    }
}
