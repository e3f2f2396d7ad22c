package io.tokenbudget.examples.providerstub;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * A running stand-in provider on the loopback interface.
 *
 * <pre>{@code
 * try (ProviderStub stub = ProviderStub.start(0)) {
 *     // point the client at stub.baseUrl(), choose the scenario by the model's name, then:
 *     Billed billed = stub.ledger().billed(apiKey);
 * }
 * }</pre>
 *
 * <p>Thread-safe; each request has a thread of its own, and all threads are daemons.
 */
public final class ProviderStub implements AutoCloseable {
    private final Ledger ledger = new Ledger();
    private final Gate gate = new Gate();
    private final WebServer server;

    private ProviderStub(int port) throws IOException {
        this.server = WebServer.start(port, routes());
    }

    /**
     * Starts a stub.
     *
     * @param port the port to listen on, 0 for any free one
     * @throws UncheckedIOException if the port is taken
     * @throws NoClassDefFoundError if its JSON library is missing
     */
    public static ProviderStub start(int port) {
        // Now, not when a request has come and the client waits.
        Json.write(Map.of());
        try {
            return new ProviderStub(port);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot listen on port " + port, failed);
        }
    }

    private Routes routes() {
        ModelEndpoint images = endpoint(new OpenAiImagesFormat());
        ModelEndpoint transcription = endpoint(new OpenAiTranscriptionFormat());
        return new Routes()
                .addV1("/chat/completions", endpoint(new OpenAiChatFormat()))
                .addV1("/responses", endpoint(new OpenAiResponsesFormat()))
                .addV1("/embeddings", endpoint(new OpenAiEmbeddingsFormat()))
                .addV1("/completions", endpoint(new OpenAiCompletionsFormat()))
                .addV1("/images/generations", images)
                .addV1("/images/edits", images)
                .addV1("/moderations", endpoint(new OpenAiModerationsFormat()))
                .addV1("/audio/transcriptions", transcription)
                .addV1("/audio/translations", transcription)
                .addV1("/audio/speech", endpoint(new OpenAiSpeechFormat()))
                .addV1("/messages", endpoint(new AnthropicFormat()))
                .add("/api/chat", endpoint(OllamaFormat.chat()))
                .add("/api/generate", endpoint(OllamaFormat.generate()))
                .add("/api/embed", endpoint(new OllamaEmbedFormat()))
                .addFixed("/api/tags", Map.of("models", List.of()))
                .addFixed("/api/show", Map.of("details", Map.of(), "capabilities", List.of("completion", "tools")))
                .addFixed("/api/version", Map.of("version", "0.0.0"))
                .addMatching("(/[^/]+)?/models/.+:(g|streamG)enerateContent", endpoint(new GeminiFormat()))
                .addMatching("(/[^/]+)?/models/.+:(e|batchE)mbedContents?", endpoint(new GeminiEmbedFormat()))
                .add("/ledger", new LedgerEndpoint(ledger));
    }

    private ModelEndpoint endpoint(WireFormat format) {
        return new ModelEndpoint(format, ledger, gate);
    }

    /** The address without a path, such as {@code http://127.0.0.1:8080}: good for every client, see the README. */
    public String baseUrl() {
        return "http://127.0.0.1:" + port();
    }

    /** The port it listens on. */
    public int port() {
        return server.port();
    }

    /** What was billed up to now. */
    public Ledger ledger() {
        return ledger;
    }

    /**
     * Ends the calls that now wait in a {@code timeout} scenario, by closing their connections, and lets the streams go
     * on that a {@code stalls-after-} scenario has stopped.
     */
    public void release() {
        gate.release();
    }

    /** Releases all waiting calls, closes all connections and frees the port. */
    @Override
    public void close() {
        gate.release();
        server.close();
    }
}
