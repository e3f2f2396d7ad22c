package dev.langchain4j.http.client;

/** Calls as LangChain4j's HTTP clients do: an exception is passed over, an error ends the stream. */
public final class Caller {
    private Caller() {}

    public static void call(Runnable callback) {
        callback.run();
    }
}
