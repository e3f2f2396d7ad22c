package io.tokenbudget.examples.providerstub;

import com.sun.net.httpserver.HttpExchange;
import io.tokenbudget.examples.providerstub.WireFormat.Event;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Sends one answer as server-sent events and books it once: in full as soon as its last token is on the way, otherwise
 * what had been produced when the stream was cut or the client left. Owned by the thread of its request.
 */
final class StreamedAnswer implements WireFormat.Sink {
    private final WireFormat format;
    private final Ledger ledger;
    private final ModelRequest request;
    private final Scenario scenario;
    private final Answer answer;
    private OutputStream out = OutputStream.nullOutputStream();
    private int withContent;
    private long produced;
    private boolean booked;

    StreamedAnswer(WireFormat format, Ledger ledger, ModelRequest request, Scenario scenario, Answer answer) {
        this.format = format;
        this.ledger = ledger;
        this.request = request;
        this.scenario = scenario;
        this.answer = answer;
        this.produced = answer.cost().reasoning();
    }

    void send(HttpExchange exchange) throws IOException, InterruptedException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        try {
            exchange.sendResponseHeaders(200, 0);
            out = exchange.getResponseBody();
            format.stream(request, answer, this);
            out.close();
        } catch (EndOfScenario end) {
            out.close();
        } finally {
            bookProduced();
        }
    }

    @Override
    public void send(Event event) throws IOException, InterruptedException {
        if (event.outputTokens() > 0 && withContent++ == scenario.streamEnd().afterEvents()) {
            breakOff();
        }
        produced += event.outputTokens();
        if (produced >= answer.cost().output()) {
            bookProduced();
        }
        write(broken(event));
        if (event.outputTokens() > 0) {
            Thread.sleep(scenario.pause().toMillis());
        }
    }

    @Override
    public void sendTail(Event event) throws IOException {
        produced = answer.cost().output();
        bookProduced();
        write(event);
    }

    private void breakOff() throws IOException {
        switch (scenario.streamEnd().kind()) {
            case COMPLETE -> {}
            case CUT -> throw new IOException("cut by the scenario");
            case ERROR_EVENT -> {
                bookProduced();
                write(format.errorEvent("the scenario " + scenario.name() + " fails"));
                throw new EndOfScenario();
            }
        }
    }

    private static final class EndOfScenario extends IOException {
        private static final long serialVersionUID = 1L;
    }

    private Event broken(Event event) {
        return scenario.content() == Scenario.Content.BROKEN_JSON && event.outputTokens() > 0
                ? new Event(event.text().substring(0, event.text().length() / 2), event.outputTokens())
                : event;
    }

    private void bookProduced() {
        if (!booked) {
            booked = true;
            TokenCount cost = answer.cost().withOutput(produced, answer.cost().reasoning());
            ledger.add(BilledCall.of(request, scenario.name(), 200, cost));
        }
    }

    private void write(Event event) throws IOException {
        out.write((event.text() + "\n\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
