package io.tokenbudget.examples.providerstub;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Finds the handler of a path. Thread-safe once it is complete. */
final class Routes implements WebServer.Handler {
    private final Map<String, WebServer.Handler> byPath = new HashMap<>();
    private final Map<Pattern, WebServer.Handler> byPattern = new LinkedHashMap<>();

    Routes add(String path, WebServer.Handler handler) {
        byPath.put(path, handler);
        return this;
    }

    /** Clients differ in whether {@code /v1} is part of the base URL: {@code path} is served with it and without. */
    Routes addV1(String path, WebServer.Handler handler) {
        return add(path, handler).add("/v1" + path, handler);
    }

    /** All paths that match. A fixed path goes before. */
    Routes addMatching(String pattern, WebServer.Handler handler) {
        byPattern.put(Pattern.compile(pattern), handler);
        return this;
    }

    /** A path that always has the same answer. */
    Routes addFixed(String path, Map<String, ?> answer) {
        return add(path, exchange -> exchange.send(200, Body.json(answer)));
    }

    @Override
    public void handle(WebExchange exchange) throws IOException, InterruptedException {
        handlerOf(exchange.request().path()).handle(exchange);
    }

    private WebServer.Handler handlerOf(String path) {
        WebServer.Handler fixed = byPath.get(path);
        if (fixed != null) {
            return fixed;
        }
        for (Map.Entry<Pattern, WebServer.Handler> entry : byPattern.entrySet()) {
            if (entry.getKey().matcher(path).matches()) {
                return entry.getValue();
            }
        }
        return Routes::notFound;
    }

    private static void notFound(WebExchange exchange) throws IOException {
        Map<String, ?> error = Map.of("message", "no such path", "type", "invalid_request_error");
        exchange.send(404, Body.json(Map.of("error", error)));
    }
}
