package io.tokenbudget.testkit.status;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Predicate;

/** Polls {@code GET /budgets} of a process with the agent or a starter. Thread-safe. */
public final class BudgetsEndpoint {
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final HttpClient client = HttpClient.newHttpClient();
    private final URI uri;

    /** @param uri such as {@code http://127.0.0.1:9797/budgets} */
    public BudgetsEndpoint(URI uri) {
        this.uri = uri;
    }

    /**
     * The budgets now.
     *
     * @throws UncheckedIOException if nothing or nothing readable is answered
     */
    public BudgetsSnapshot read() {
        HttpRequest request =
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(5)).build();
        try {
            HttpResponse<String> response =
                    client.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            if (response.statusCode() != 200) {
                throw new IOException(uri + " answered " + response.statusCode() + ": " + response.body());
            }
            return BudgetsSnapshot.of(JSON.std.mapFrom(response.body()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + uri, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted while reading " + uri, e));
        }
    }

    /**
     * Reads until {@code wanted} is true: for what ends on a thread that nobody can join.
     *
     * @throws IllegalStateException if it is not within {@code atMost}
     */
    public BudgetsSnapshot await(Predicate<BudgetsSnapshot> wanted, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (true) {
            BudgetsSnapshot snapshot = read();
            if (wanted.test(snapshot)) {
                return snapshot;
            }
            if (System.nanoTime() > end) {
                throw new IllegalStateException("after " + atMost + " still " + snapshot);
            }
            Thread.sleep(PAUSE.toMillis());
        }
    }
}
