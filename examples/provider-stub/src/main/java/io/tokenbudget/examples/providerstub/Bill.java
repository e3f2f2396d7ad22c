package io.tokenbudget.examples.providerstub;

import org.jspecify.annotations.Nullable;

/** One call's line in the ledger: written once, and marked when the client leaves. Owned by the thread of its request. */
final class Bill {
    private final Ledger ledger;
    private final String api;
    private final ModelRequest request;
    private final String scenario;
    private @Nullable BilledCall line;
    private boolean clientLeft;

    Bill(Ledger ledger, String api, ModelRequest request, String scenario) {
        this.ledger = ledger;
        this.api = api;
        this.request = request;
        this.scenario = scenario;
    }

    /** Books a call that is no stream. Only the first booking counts. */
    void book(int status, TokenCount cost) {
        book(status, cost, 0);
    }

    /** Books a stream that has sent {@code chunks} events with content. Only the first booking counts. */
    void book(int status, TokenCount cost, int chunks) {
        if (line == null) {
            line = line(status, cost, chunks);
            ledger.add(line);
        }
    }

    /** Marks the call as left by its client, when it is booked or at once. */
    void clientLeft() {
        clientLeft = true;
        if (line != null && !line.clientLeft()) {
            BilledCall marked = line.left();
            ledger.replace(line, marked);
            line = marked;
        }
    }

    private BilledCall line(int status, TokenCount cost, int chunks) {
        return new BilledCall(
                api,
                request.key(),
                request.model(),
                scenario,
                request.stream(),
                status,
                cost.input(),
                cost.cachedInput(),
                cost.cacheWriteInput(),
                cost.output(),
                cost.reasoning(),
                cost.total(),
                cost.total() > 0,
                chunks,
                clientLeft);
    }
}
