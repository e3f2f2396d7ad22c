package io.tokenbudget.launches;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What an agent answers at {@code GET /budgets}. */
final class Budgets {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Map<String, Object> report;

    private Budgets(Map<String, Object> report) {
        this.report = report;
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static Budgets at(int port) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/budgets"))
                    .build();
            HttpResponse<String> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(200);
            return new Budgets(JSON.std.mapFrom(response.body()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    long used(String scope) {
        return number(scope, "used");
    }

    /** The tokens that each scope has used. */
    Map<String, Long> used() {
        Map<String, Long> used = new HashMap<>();
        for (Map<?, ?> budget : budgets()) {
            String scope = String.valueOf(budget.get("scope"));
            if ("tokens".equals(budget.get("unit"))) {
                used.put(scope, number(scope, "used"));
            }
        }
        return used;
    }

    long held(String scope) {
        return number(scope, "held");
    }

    private long number(String scope, String field) {
        return budgets().stream()
                .filter(budget -> scope.equals(budget.get("scope")) && "tokens".equals(budget.get("unit")))
                .map(budget -> budget.get(field))
                .map(value -> value instanceof Number number ? number.longValue() : Long.valueOf(0))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no budget of " + scope + " in " + report));
    }

    /** The scopes of one dimension. */
    Set<String> scopes(String dimension) {
        return budgets().stream()
                .map(budget -> String.valueOf(budget.get("scope")))
                .filter(scope -> scope.startsWith(dimension + ":"))
                .collect(Collectors.toSet());
    }

    private List<Map<?, ?>> budgets() {
        List<Map<?, ?>> budgets = new ArrayList<>();
        if (report.get("budgets") instanceof List<?> entries) {
            for (Object entry : entries) {
                if (entry instanceof Map<?, ?> budget) {
                    budgets.add(budget);
                }
            }
        }
        return budgets;
    }

    long calls(String kind) {
        return count("calls", kind);
    }

    long reservations(String kind) {
        return count("reservations", kind);
    }

    private long count(String group, String kind) {
        if (report.get(group) instanceof Map<?, ?> counts && counts.get(kind) instanceof Number count) {
            return count.longValue();
        }
        throw new AssertionError("no " + group + "." + kind + " in " + report);
    }

    @Override
    public String toString() {
        return report.toString();
    }
}
