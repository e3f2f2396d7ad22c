package io.tokenbudget.examples.providerstub;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.tokenbudget.examples.providerstub.Scenario.Content;
import io.tokenbudget.examples.providerstub.Scenario.StreamEnd;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Plays a scenario over HTTP in one provider's format, and books it.
 *
 * <p>Thread-safe. To cut a connection, {@code handle} throws: the JDK's server then closes the socket without ending the
 * body.
 */
final class ModelEndpoint implements HttpHandler {
    private final WireFormat format;
    private final Ledger ledger;
    private final Gate gate;
    private final Map<String, Integer> failedAttempts = new ConcurrentHashMap<>();

    ModelEndpoint(WireFormat format, Ledger ledger, Gate gate) {
        this.format = format;
        this.ledger = ledger;
        this.gate = gate;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        ModelRequest request = read(exchange);
        if (request == null) {
            return;
        }
        try {
            play(exchange, request, Scenario.of(request));
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            throw new IOException("the stub is closing", closing);
        }
    }

    private @Nullable ModelRequest read(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            Http.json(exchange, 405, format.error(405, "POST is the only method here"));
            return null;
        }
        byte[] body = exchange.getRequestBody().readAllBytes();
        try {
            return format.read(exchange, Http.JSON_FORMAT.mapFrom(body));
        } catch (IOException notJson) {
            Http.json(exchange, 400, format.error(400, "the body is no JSON object"));
        } catch (IllegalArgumentException wrong) {
            Http.json(exchange, 400, format.error(400, String.valueOf(wrong.getMessage())));
        }
        return null;
    }

    private void play(HttpExchange exchange, ModelRequest request, Scenario scenario)
            throws IOException, InterruptedException {
        if (fails(request, scenario.failure())) {
            int status = scenario.failure().status();
            ledger.add(BilledCall.of(request, scenario.name(), status, TokenCount.ZERO));
            // Real providers send this too; it keeps the retries of clients that honour it short.
            exchange.getResponseHeaders().set("Retry-After-Ms", "1");
            Http.json(exchange, status, format.error(status, "the scenario " + scenario.name() + " fails"));
            return;
        }
        Answer answer = StubModel.answer(request, scenario);
        if (scenario.hang() != Scenario.Hang.NO) {
            ledger.add(BilledCall.of(request, scenario.name(), 0, costOfHanging(scenario, answer.cost())));
            gate.await();
            throw new IOException("released without an answer");
        }
        Thread.sleep(scenario.delay().toMillis());
        if (request.stream()) {
            new StreamedAnswer(format, ledger, request, scenario, answer).send(exchange);
        } else {
            sendWhole(exchange, request, scenario, answer);
        }
    }

    private boolean fails(ModelRequest request, Scenario.HttpFailure failure) {
        if (failure.times() == 0 || failure.times() == Integer.MAX_VALUE) {
            return failure.times() > 0;
        }
        String conversation = request.key() + '\n' + request.model() + '\n' + request.fingerprint();
        int attempt = failedAttempts.merge(conversation, 1, Integer::sum);
        if (attempt <= failure.times()) {
            return true;
        }
        failedAttempts.remove(conversation);
        return false;
    }

    private static TokenCount costOfHanging(Scenario scenario, TokenCount full) {
        return switch (scenario.hang()) {
            case BILLED_IN_FULL -> full;
            case BILLED_INPUT -> full.withOutput(0, 0);
            case NOT_BILLED, NO -> TokenCount.ZERO;
        };
    }

    private void sendWhole(HttpExchange exchange, ModelRequest request, Scenario scenario, Answer answer)
            throws IOException {
        ledger.add(BilledCall.of(request, scenario.name(), 200, answer.cost()));
        String json = Http.write(format.answer(request, answer));
        if (scenario.content() == Content.BROKEN_JSON) {
            Http.send(exchange, 200, json.substring(0, json.length() / 2));
        } else if (scenario.streamEnd().kind() == StreamEnd.Kind.CUT) {
            sendHalf(exchange, json.getBytes(StandardCharsets.UTF_8));
        } else {
            Http.send(exchange, 200, json);
        }
    }

    private static void sendHalf(HttpExchange exchange, byte[] json) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, json.length);
        OutputStream out = exchange.getResponseBody();
        out.write(json, 0, json.length / 2);
        out.flush();
        throw new IOException("cut by the scenario");
    }
}
