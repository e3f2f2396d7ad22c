package io.tokenbudget.integrationtests.usage;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Answers whatever is asked of it with one recorded answer, over HTTP. Thread-safe. */
final class RecordedProvider implements AutoCloseable {
    private static final int LENGTH_UNKNOWN = 0;

    private final Answer answer;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    RecordedProvider(Answer answer) throws IOException {
        this.answer = answer;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    String baseUrl() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Content-Type", answer.contentType());
            byte[] body = answer.body();
            exchange.sendResponseHeaders(200, answer.streamed() ? LENGTH_UNKNOWN : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
