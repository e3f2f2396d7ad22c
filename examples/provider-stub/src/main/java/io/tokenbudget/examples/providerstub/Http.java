package io.tokenbudget.examples.providerstub;

import com.fasterxml.jackson.jr.ob.JSON;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Reads and writes what the JDK's server leaves to its users. */
final class Http {
    static final JSON JSON_FORMAT = JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES);

    private Http() {}

    static String write(Object value) {
        try {
            return JSON_FORMAT.asString(value);
        } catch (IOException impossible) {
            throw new IllegalStateException("maps and lists can always be written", impossible);
        }
    }

    static void json(HttpExchange exchange, int status, Object body) throws IOException {
        send(exchange, status, write(body));
    }

    static void send(HttpExchange exchange, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    static void notFound(HttpExchange exchange) throws IOException {
        json(exchange, 404, Map.of("error", Map.of("message", "no such path", "type", "invalid_request_error")));
    }

    static Map<String, String> query(HttpExchange exchange) {
        Map<String, String> query = new HashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        if (raw != null) {
            for (String pair : raw.split("&", -1)) {
                int equals = pair.indexOf('=');
                if (equals > 0) {
                    query.put(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
                }
            }
        }
        return query;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** The token of {@code Authorization: Bearer}, or an empty text. */
    static String bearer(HttpExchange exchange) {
        String header = exchange.getRequestHeaders().getFirst("Authorization");
        return header != null && header.startsWith("Bearer ")
                ? header.substring("Bearer ".length()).trim()
                : "";
    }
}
