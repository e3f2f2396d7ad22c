package io.tokenbudget.examples.providerstub;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code GET /ledger}, {@code GET /ledger?model=&key=} and {@code DELETE /ledger}. */
final class LedgerEndpoint implements HttpHandler {
    private final Ledger ledger;

    LedgerEndpoint(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        switch (exchange.getRequestMethod()) {
            case "GET" -> Http.json(exchange, 200, body(Http.query(exchange)));
            case "DELETE" -> {
                ledger.clear();
                Http.json(exchange, 200, body(Map.of()));
            }
            default -> Http.json(exchange, 405, Map.of("error", "GET or DELETE"));
        }
    }

    private Map<String, Object> body(Map<String, String> query) {
        String model = query.get("model");
        String key = query.get("key");
        List<BilledCall> calls =
                ledger.calls(call -> (model == null || call.model().equals(model))
                        && (key == null || call.key().equals(key)));
        Ledger.Billed billed = Ledger.sum(calls);
        Map<String, Object> sum = new LinkedHashMap<>();
        sum.put("calls", billed.calls());
        sum.put("inputTokens", billed.inputTokens());
        sum.put("outputTokens", billed.outputTokens());
        sum.put("totalTokens", billed.totalTokens());
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("calls", calls.stream().map(LedgerEndpoint::row).toList());
        body.put("billed", sum);
        return body;
    }

    private static Map<String, Object> row(BilledCall call) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("model", call.model());
        row.put("scenario", call.scenario());
        row.put("streamed", call.streamed());
        row.put("status", call.status());
        row.put("promptTokens", call.promptTokens());
        row.put("cachedTokens", call.cachedTokens());
        row.put("completionTokens", call.completionTokens());
        row.put("reasoningTokens", call.reasoningTokens());
        row.put("totalTokens", call.totalTokens());
        row.put("billed", call.billed());
        return row;
    }
}
