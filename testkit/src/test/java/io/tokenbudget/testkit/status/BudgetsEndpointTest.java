package io.tokenbudget.testkit.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The poller of GET /budgets")
class BudgetsEndpointTest {
    private static final String JSON = """
            {"generatedAt":"2026-01-01T00:00:00Z","mode":"enforce","budgets":[
             {"scope":"tenant:acme","unit":"tokens","window":"1h","limit":1000000,"used":1200,"held":300,
              "remaining":998500,"resetsAt":"2026-01-01T00:41:00Z","unlimited":false},
             {"scope":"tenant:acme","unit":"requests","window":"1h","limit":60,"used":2,"held":1,
              "remaining":57,"resetsAt":null,"unlimited":false}],
             "reservations":{"held":%d,"settled":10,"refunded":2,"expired":0,"refused":3},
             "calls":{"metered":13,"unmetered":4,"usageMissing":5},
             "estimates":[{"model":"gpt-4o-mini","calls":10,"ratio":0.97,"error":0.04}]}
            """;

    private final AtomicInteger held = new AtomicInteger(3);

    @SuppressWarnings("NullAway.Init") // before each test
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/budgets", exchange -> {
            byte[] body = JSON.formatted(held.getAndDecrement()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.createContext("/wrong", exchange -> {
            byte[] body = "{\"budgets\":[]}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void readsWhatTheDesignShows() {
        BudgetsSnapshot snapshot = endpoint("/budgets").read();

        assertThat(snapshot.used("tenant:", "tokens")).isEqualTo(1200);
        assertThat(snapshot.used("tenant:acme", "requests")).isEqualTo(2);
        assertThat(snapshot.used("tenant:other", "tokens")).isZero();
        assertThat(snapshot.held()).isEqualTo(301);
        assertThat(snapshot.reservations()).isEqualTo(new BudgetsSnapshot.Reservations(3, 10, 2, 0, 3));
        assertThat(snapshot.calls()).isEqualTo(new BudgetsSnapshot.Calls(13, 4, 5));
    }

    @Test
    void readsUntilItIsAsWanted() throws InterruptedException {
        BudgetsSnapshot snapshot =
                endpoint("/budgets").await(budgets -> budgets.reservations().held() == 0, Duration.ofSeconds(20));

        assertThat(snapshot.reservations().held()).isZero();
    }

    @Test
    void saysWhatItFoundWhereThatNeverHappens() {
        assertThatThrownBy(() -> endpoint("/budgets").await(budgets -> false, Duration.ZERO))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("tenant:acme");
    }

    @Test
    void saysWhatIsMissing() {
        assertThatThrownBy(() -> endpoint("/wrong").read())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"reservations\"");
    }

    @Test
    void saysWhichAddressAnswersNothingUseful() {
        assertThatThrownBy(() -> endpoint("/nothing").read())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("/nothing")
                .cause()
                .hasMessageContaining("404");
    }

    private BudgetsEndpoint endpoint(String path) {
        return new BudgetsEndpoint(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path));
    }
}
