package io.tokenbudget.examples.providerstub;

import io.tokenbudget.examples.providerstub.Scenario.Content;
import io.tokenbudget.examples.providerstub.Scenario.Hang;
import io.tokenbudget.examples.providerstub.Scenario.StreamEnd;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Plays a scenario over HTTP in one provider's format, and books it.
 *
 * <p>Thread-safe. To cut a connection, {@code handle} throws.
 */
final class ModelEndpoint implements WebServer.Handler {
    private final WireFormat format;
    private final Ledger ledger;
    private final Gate gate;
    private final Map<Conversation, Integer> failedAttempts = new ConcurrentHashMap<>();

    /** Tells a retry from another call. */
    private record Conversation(String key, String model, List<Turn> turns) {}

    ModelEndpoint(WireFormat format, Ledger ledger, Gate gate) {
        this.format = format;
        this.ledger = ledger;
        this.gate = gate;
    }

    @Override
    public void handle(WebExchange exchange) throws IOException, InterruptedException {
        ModelRequest request = read(exchange);
        if (request != null) {
            Scenario scenario = Scenario.of(request);
            play(exchange, request, scenario, new Bill(ledger, format.name(), request, scenario.name()));
        }
    }

    private @Nullable ModelRequest read(WebExchange exchange) throws IOException {
        if (!exchange.request().method().equals("POST")) {
            exchange.send(405, Body.json(format.error(405, "POST is the only method here")));
            return null;
        }
        try {
            return format.read(exchange.request());
        } catch (IllegalArgumentException wrong) {
            exchange.send(400, Body.json(format.error(400, String.valueOf(wrong.getMessage()))));
            return null;
        }
    }

    private void play(WebExchange exchange, ModelRequest request, Scenario scenario, Bill bill)
            throws IOException, InterruptedException {
        if (fails(request, scenario.failure())) {
            int status = scenario.failure().status();
            bill.book(status, TokenCount.ZERO);
            // Real providers send this too; it keeps the retries of clients that honour it short.
            exchange.header("Retry-After-Ms", "1");
            exchange.send(status, Body.json(format.error(status, "the scenario " + scenario.name() + " fails")));
            return;
        }
        Answer answer = StubModel.answer(request, scenario);
        if (scenario.hang() != Hang.NO) {
            hang(exchange, bill, costOfHanging(scenario.hang(), answer.cost()));
        }
        if (request.stream() && format instanceof StreamingFormat streaming) {
            exchange.pause(scenario.delay());
            new StreamedAnswer(streaming, bill, gate, scenario, exchange, request, answer).send();
        } else {
            sendWhole(exchange, request, scenario, answer, bill);
        }
    }

    private boolean fails(ModelRequest request, Scenario.HttpFailure failure) {
        if (failure.times() == 0 || failure.times() == Integer.MAX_VALUE) {
            return failure.times() > 0;
        }
        Conversation conversation = new Conversation(request.key(), request.model(), request.turns());
        int attempt = failedAttempts.merge(conversation, 1, Integer::sum);
        if (attempt <= failure.times()) {
            return true;
        }
        failedAttempts.remove(conversation);
        return false;
    }

    private void hang(WebExchange exchange, Bill bill, TokenCount cost) throws IOException, InterruptedException {
        bill.book(0, cost);
        try {
            exchange.await(gate.opening());
        } catch (ClientLeftException left) {
            bill.clientLeft();
            throw left;
        }
        throw new IOException("released without an answer");
    }

    private static TokenCount costOfHanging(Hang hang, TokenCount full) {
        return switch (hang) {
            case BILLED_IN_FULL -> full;
            case BILLED_INPUT -> full.withOutput(0);
            case NOT_BILLED, NO -> TokenCount.ZERO;
        };
    }

    /** Books in full in any case: the model has worked before the first byte is sent. */
    private void sendWhole(WebExchange exchange, ModelRequest request, Scenario scenario, Answer answer, Bill bill)
            throws IOException, InterruptedException {
        try {
            exchange.pause(scenario.delay());
            bill.book(200, answer.cost());
            Body body = format.answer(request, answer);
            if (scenario.streamEnd().kind() == StreamEnd.Kind.CUT) {
                exchange.sendHalf(200, body);
                throw new IOException("cut by the scenario");
            }
            exchange.send(200, scenario.content() == Content.BROKEN_JSON ? body.firstHalf() : body);
        } catch (ClientLeftException left) {
            bill.clientLeft();
            bill.book(0, answer.cost());
            throw left;
        }
    }
}
