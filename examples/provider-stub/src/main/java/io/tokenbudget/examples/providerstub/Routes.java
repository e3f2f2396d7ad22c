package io.tokenbudget.examples.providerstub;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Finds the handler of a path. Thread-safe once it is complete. */
final class Routes implements WebServer.Handler {
    private final Map<String, WebServer.Handler> byPath = new HashMap<>();

    Routes add(String path, WebServer.Handler handler) {
        byPath.put(path, handler);
        return this;
    }

    /** Clients differ in whether {@code /v1} is part of the base URL: {@code path} is served with it and without. */
    Routes addV1(String path, WebServer.Handler handler) {
        return add(path, handler).add("/v1" + path, handler);
    }

    /** A path that always has the same answer. */
    Routes addFixed(String path, Map<String, ?> answer) {
        return add(path, exchange -> exchange.send(200, Body.json(answer)));
    }

    @Override
    public void handle(WebExchange exchange) throws IOException, InterruptedException {
        byPath.getOrDefault(exchange.request().path(), Routes::notFound).handle(exchange);
    }

    private static void notFound(WebExchange exchange) throws IOException {
        Map<String, ?> error = Map.of("message", "no such path", "type", "invalid_request_error");
        exchange.send(404, Body.json(Map.of("error", error)));
    }
}
