package io.tokenbudget.examples.providerstub;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
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
    private final Dialect dialect;

    /** Speaks OpenAI's chat completions. */
    Client(ProviderStub stub, String key) {
        this(stub, key, new ChatDialect());
    }

    Client(ProviderStub stub, String key, Dialect dialect) {
        this.baseUrl = stub.baseUrl();
        this.key = key;
        this.dialect = dialect;
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
        return post(model, dialect.request(model, false));
    }

    /** Gives up after {@code time}. */
    void askWithin(Duration time, String model) throws IOException, InterruptedException {
        String body = Json.write(dialect.request(model, false));
        HTTP.send(request(dialect.path(model, false), body, time), BodyHandlers.ofString());
    }

    Reply post(Map<String, Object> body) throws IOException, InterruptedException {
        return post(String.valueOf(body.get("model")), body);
    }

    Reply post(String model, Map<String, Object> body) throws IOException, InterruptedException {
        return postTo(dialect.path(model, false), body);
    }

    Reply postTo(String path, Map<String, Object> body) throws IOException, InterruptedException {
        HttpResponse<String> response = send(path, Json.write(body), BodyHandlers.ofString());
        return new Reply(response.statusCode(), Json.readObject(response.body().getBytes(UTF_8)));
    }

    HttpResponse<String> postText(String path, String body) throws IOException, InterruptedException {
        return send(path, body, BodyHandlers.ofString());
    }

    HttpResponse<InputStream> open(String model, Map<String, Object> body) throws IOException, InterruptedException {
        return send(dialect.path(model, true), Json.write(body), BodyHandlers.ofInputStream());
    }

    List<Map<String, Object>> stream(Map<String, Object> body) throws IOException, InterruptedException {
        return stream(String.valueOf(body.get("model")), body);
    }

    /** The JSON of all events of a stream. */
    List<Map<String, Object>> stream(String model, Map<String, Object> body) throws IOException, InterruptedException {
        List<Map<String, Object>> events = new ArrayList<>();
        HttpResponse<String> response = send(dialect.path(model, true), Json.write(body), BodyHandlers.ofString());
        for (String line : response.body().split("\n", -1)) {
            String json = line.startsWith("data: ") ? line.substring("data: ".length()) : line;
            if (json.startsWith("{")) {
                events.add(Json.readObject(json.getBytes(UTF_8)));
            }
        }
        return events;
    }

    /** Opens a stream, reads lines until the one with {@code mark} has come {@code times}, and leaves. */
    void leaveAfter(String model, Map<String, Object> body, String mark, int times)
            throws IOException, InterruptedException {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(open(model, body).body(), UTF_8))) {
            for (int seen = 0; seen < times; ) {
                String line = lines.readLine();
                if (line == null) {
                    throw new IOException("the stream ended after " + seen);
                }
                seen += line.contains(mark) ? 1 : 0;
            }
        }
    }

    Reply get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(baseUrl + path)).build();
        HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
        return new Reply(response.statusCode(), Json.readObject(response.body().getBytes(UTF_8)));
    }

    int delete(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(baseUrl + path)).DELETE().build();
        return HTTP.send(request, BodyHandlers.ofString()).statusCode();
    }

    private <T> HttpResponse<T> send(String path, String body, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        return HTTP.send(request(path, body, Duration.ofSeconds(20)), handler);
    }

    private HttpRequest request(String path, String body, Duration timeout) {
        Map.Entry<String, String> header = dialect.key(key);
        return HttpRequest.newBuilder(URI.create(baseUrl + path))
                .header(header.getKey(), header.getValue())
                .timeout(timeout)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    static Map<String, Object> request(String model) {
        return new LinkedHashMap<>(new ChatDialect().request(model, false));
    }

    static Map<String, Object> streamed(String model) {
        Map<String, Object> body = request(model);
        new ChatDialect().streamed(body);
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
