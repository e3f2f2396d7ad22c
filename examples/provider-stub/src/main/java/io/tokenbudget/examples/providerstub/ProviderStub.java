package io.tokenbudget.examples.providerstub;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

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
    private final HttpServer server;
    private final ExecutorService threads;
    private final Ledger ledger = new Ledger();
    private final Gate gate = new Gate();

    private ProviderStub(HttpServer server) {
        this.server = server;
        this.threads = Executors.newCachedThreadPool(work -> daemon("provider-stub-request", work));
    }

    /**
     * Starts a stub.
     *
     * @param port the port to listen on, 0 for any free one
     * @throws UncheckedIOException if the port is taken
     * @throws NoClassDefFoundError if its JSON library is missing
     */
    public static ProviderStub start(int port) {
        // Once a request has come, the JDK's server would keep the error to itself and let the client wait.
        Http.write(Map.of());
        // Without it, each answer on a kept connection waits 40 ms for the client's delayed acknowledgement.
        if (System.getProperty("sun.net.httpserver.nodelay") == null) {
            System.setProperty("sun.net.httpserver.nodelay", "true");
        }
        try {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            ProviderStub stub = new ProviderStub(HttpServer.create(address, 0));
            stub.listen();
            return stub;
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot listen on port " + port, failed);
        }
    }

    private void listen() {
        ModelEndpoint chat = new ModelEndpoint(new OpenAiChatFormat(), ledger, gate);
        server.createContext("/v1/chat/completions", chat);
        server.createContext("/chat/completions", chat);
        server.createContext("/ledger", new LedgerEndpoint(ledger));
        server.createContext("/", Http::notFound);
        server.setExecutor(threads);
        // The server's own thread is a daemon only if the thread that starts it is one.
        Thread starter = daemon("provider-stub-start", server::start);
        starter.start();
        try {
            starter.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The address without a path, such as {@code http://127.0.0.1:8080}: good for every client, see the README. */
    public String baseUrl() {
        return "http://127.0.0.1:" + port();
    }

    /** The port it listens on. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** What was billed up to now. */
    public Ledger ledger() {
        return ledger;
    }

    /** Ends the calls that now wait in a {@code timeout} scenario, by closing their connections. */
    public void release() {
        gate.release();
    }

    /** Releases all waiting calls, closes all connections and frees the port. */
    @Override
    public void close() {
        gate.release();
        server.stop(0);
        threads.shutdownNow();
    }

    private static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }
}
