package io.tokenbudget.examples.providerstub;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** {@code GET /ledger}, {@code GET /ledger?model=&key=} and {@code DELETE /ledger}. */
final class LedgerEndpoint implements WebServer.Handler {
    private final Ledger ledger;

    LedgerEndpoint(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public void handle(WebExchange exchange) throws IOException {
        switch (exchange.request().method()) {
            case "GET" ->
                exchange.send(200, Body.json(content(exchange.request().query())));
            case "DELETE" -> {
                ledger.clear();
                exchange.send(200, Body.json(content(Map.of())));
            }
            default -> exchange.send(405, Body.json(Map.of("error", "GET or DELETE")));
        }
    }

    private Map<String, Object> content(Map<String, String> query) {
        String model = query.get("model");
        String key = query.get("key");
        List<BilledCall> calls =
                ledger.calls(call -> (model == null || call.model().equals(model))
                        && (key == null || call.key().equals(key)));
        Ledger.Billed billed = Ledger.sum(calls);
        return Json.map(
                "calls",
                calls.stream().map(LedgerEndpoint::row).toList(),
                "billed",
                Json.map(
                        "calls", billed.calls(),
                        "inputTokens", billed.inputTokens(),
                        "outputTokens", billed.outputTokens(),
                        "totalTokens", billed.totalTokens()));
    }

    private static Map<String, Object> row(BilledCall call) {
        return Json.map(
                "api", call.api(),
                "model", call.model(),
                "scenario", call.scenario(),
                "streamed", call.streamed(),
                "status", call.status(),
                "promptTokens", call.promptTokens(),
                "cachedTokens", call.cachedTokens(),
                "cacheWriteTokens", call.cacheWriteTokens(),
                "completionTokens", call.completionTokens(),
                "reasoningTokens", call.reasoningTokens(),
                "totalTokens", call.totalTokens(),
                "billed", call.billed(),
                "chunks", call.chunks(),
                "clientLeft", call.clientLeft());
    }
}
