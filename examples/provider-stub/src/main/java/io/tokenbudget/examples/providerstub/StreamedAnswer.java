package io.tokenbudget.examples.providerstub;

import io.tokenbudget.examples.providerstub.Scenario.StreamEnd;
import io.tokenbudget.examples.providerstub.StreamingFormat.Event;
import java.io.IOException;

/**
 * Sends one answer as a stream and books it once: in full as soon as its last token is on the way, otherwise what had
 * been sent when the stream was cut or the client left. Owned by the thread of its request.
 */
final class StreamedAnswer implements StreamingFormat.Sink {
    private final StreamingFormat format;
    private final Bill bill;
    private final Gate gate;
    private final Scenario scenario;
    private final WebExchange exchange;
    private final ModelRequest request;
    private final Answer answer;
    private int chunks;
    private long produced;
    private boolean endReached;

    StreamedAnswer(
            StreamingFormat format,
            Bill bill,
            Gate gate,
            Scenario scenario,
            WebExchange exchange,
            ModelRequest request,
            Answer answer) {
        this.format = format;
        this.bill = bill;
        this.gate = gate;
        this.scenario = scenario;
        this.exchange = exchange;
        this.request = request;
        this.answer = answer;
    }

    void send() throws IOException, InterruptedException {
        try {
            exchange.begin(200, format.framing().contentType);
            format.stream(request, answer, this);
        } catch (EndOfScenario end) {
            // The body ends properly, whatever its events say.
        } catch (ClientLeftException left) {
            bill.clientLeft();
            throw left;
        } finally {
            book();
        }
        exchange.end();
    }

    @Override
    public void hidden(long outputTokens) {
        produced += outputTokens;
    }

    @Override
    public void send(Event event) throws IOException, InterruptedException {
        if (event.outputTokens() == 0) {
            write(event);
            return;
        }
        endHereIfSo();
        if (produced + event.outputTokens() >= answer.cost().output()) {
            chunks++;
            produced += event.outputTokens();
            book();
            write(event);
        } else {
            write(event);
            chunks++;
            produced += event.outputTokens();
        }
        exchange.pause(scenario.pause());
    }

    @Override
    public void sendTail(Event event) throws IOException, InterruptedException {
        endHereIfSo();
        produced = answer.cost().output();
        book();
        write(event);
    }

    private void endHereIfSo() throws IOException, InterruptedException {
        StreamEnd end = scenario.streamEnd();
        if (endReached || chunks != end.afterEvents()) {
            return;
        }
        endReached = true;
        switch (end.kind()) {
            case COMPLETE -> {}
            case CUT -> throw new IOException("cut by the scenario");
            case ENDS_EARLY -> throw new EndOfScenario();
            case ERROR_EVENT -> {
                book();
                write(format.errorEvent(request, "the scenario " + scenario.name() + " fails"));
                throw new EndOfScenario();
            }
            case STALLS -> exchange.await(gate.opening());
        }
    }

    private static final class EndOfScenario extends IOException {
        private static final long serialVersionUID = 1L;
    }

    private void book() {
        bill.book(200, answer.cost().withOutput(produced), chunks);
    }

    private void write(Event event) throws IOException {
        boolean broken = scenario.content() == Scenario.Content.BROKEN_JSON && event.outputTokens() > 0;
        exchange.write((broken ? event.broken() : event).text() + format.framing().end);
    }
}
