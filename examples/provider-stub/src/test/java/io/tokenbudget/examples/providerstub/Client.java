package io.tokenbudget.examples.providerstub;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A client of the stub with an API key of its own. */
final class Client {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final String baseUrl;
    private final String key;

    Client(ProviderStub stub, String key) {
        this.baseUrl = stub.baseUrl();
        this.key = key;
    }

    /** A parsed answer. */
    record Reply(int status, Map<String, Object> body) {
        @Nullable
        Object at(String path) {
            return Client.at(body, path);
        }

        int number(String path) {
            return at(path) instanceof Number number ? number.intValue() : -1;
        }

        List<?> list(String path) {
            return at(path) instanceof List<?> list ? list : List.of();
        }
    }

    Reply ask(String model) throws IOException, InterruptedException {
        return post(request(model));
    }

    Reply post(Map<String, Object> body) throws IOException, InterruptedException {
        HttpResponse<String> response = send("/v1/chat/completions", Http.write(body), BodyHandlers.ofString());
        return new Reply(response.statusCode(), Http.JSON_FORMAT.mapFrom(response.body()));
    }

    HttpResponse<String> postText(String path, String body) throws IOException, InterruptedException {
        return send(path, body, BodyHandlers.ofString());
    }

    HttpResponse<InputStream> open(Map<String, Object> body) throws IOException, InterruptedException {
        return send("/v1/chat/completions", Http.write(body), BodyHandlers.ofInputStream());
    }

    /** The JSON of all data lines of a stream. */
    List<Map<String, Object>> stream(Map<String, Object> body) throws IOException, InterruptedException {
        List<Map<String, Object>> chunks = new ArrayList<>();
        HttpResponse<String> response = send("/v1/chat/completions", Http.write(body), BodyHandlers.ofString());
        for (String line : response.body().split("\n", -1)) {
            if (line.startsWith("data: {")) {
                chunks.add(Http.JSON_FORMAT.mapFrom(line.substring("data: ".length())));
            }
        }
        return chunks;
    }

    Reply get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(baseUrl + path)).build();
        HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
        return new Reply(response.statusCode(), Http.JSON_FORMAT.mapFrom(response.body()));
    }

    int delete(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(baseUrl + path)).DELETE().build();
        return HTTP.send(request, BodyHandlers.ofString()).statusCode();
    }

    private <T> HttpResponse<T> send(String path, String body, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(baseUrl + path))
                .header("Authorization", "Bearer " + key)
                .timeout(Duration.ofSeconds(20))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HTTP.send(request, handler);
    }

    static Map<String, Object> request(String model) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("model", model);
        body.put("messages", List.of(Map.of("role", "user", "content", "What is the weather in Paris?")));
        return body;
    }

    static Map<String, Object> streamed(String model) {
        Map<String, Object> body = request(model);
        body.put("stream", true);
        body.put("stream_options", Map.of("include_usage", true));
        return body;
    }

    /** Follows {@code a.b.0.c} through maps and lists. */
    static @Nullable Object at(@Nullable Object tree, String path) {
        Object present = tree;
        for (String step : path.split("\\.", -1)) {
            if (present instanceof Map<?, ?> map) {
                present = map.get(step);
            } else if (present instanceof List<?> list) {
                int index = Integer.parseInt(step);
                present = index < list.size() ? list.get(index) : null;
            } else {
                return null;
            }
        }
        return present;
    }
}
