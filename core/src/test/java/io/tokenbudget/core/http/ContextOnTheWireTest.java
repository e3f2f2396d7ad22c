package io.tokenbudget.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.tokenbudget.BudgetContext;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.http.IncomingContext.Received;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.ModelCall;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.core.metering.Run;
import io.tokenbudget.core.metering.RunScope;
import io.tokenbudget.core.metering.RunTerms;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("try") // what is open is not looked at
@DisplayName("C7 Token-Budget-Context: said to hosts, and believed of senders, that the configuration names")
class ContextOnTheWireTest {
    private static final String SAID = "run=r-1,agent=planner,tenant=acme";

    private final List<String> notices = new ArrayList<>();
    private final CallMeter meter = meter("""
            identity: {tenant: ["header:X-Tenant-Id", "literal:default"]}
            budgets: [{scope: tenant, limits: ["1M tokens per 1h"]}]
            http: {send-context-to: ["localhost", "*.internal"], believe-context-from: ["10.0.0.0/8", "::1"]}
            """);

    private CallMeter meter(String yaml) {
        return new Metering(TokenLimiters.builder().yaml(yaml).build(), notices::add)
                .meter(CallerSource.of(getClass().getClassLoader()), RefusalFactory.OWN);
    }

    private static BudgetContext planner() {
        return BudgetContext.builder().agent("planner").tenant("acme").build();
    }

    @Test
    void aRunSaysWhoseItIsItsNameAndWhatItsCallHolds() {
        OutgoingContext outgoing = new OutgoingContext(meter);
        Run run = meter.begin(RunTerms.of(planner()));
        try (RunScope scope = meter.show(run)) {
            ContextHeader outside = Objects.requireNonNull(ContextHeader.parse(outgoing.to("billing.internal")));
            assertThat(outside.reservation()).isNull();
            assertThat(outside.run()).isNotNull();
            assertThat(outside.agent()).isEqualTo("planner");
            assertThat(outside.tenant()).isEqualTo("acme");

            Frame frame = meter.open(new Object(), () -> ModelCall.of("gpt", 1, 1));
            ContextHeader inside = Objects.requireNonNull(ContextHeader.parse(outgoing.to("billing.internal")));
            assertThat(inside.reservation()).isEqualTo(meter.reservation()).isNotNull();
            assertThat(inside.run()).isEqualTo(outside.run());
            frame.succeed(null, 0, null);
        }
        assertThat(notices).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"api.openai.com", "internal", "billing.internal.example.com"})
    void otherHostsAreToldNothing(String host) {
        try (TokenBudgets.Scope scope = TokenBudgets.open(planner())) {
            assertThat(new OutgoingContext(meter).to(host)).isNull();
            assertThat(new OutgoingContext(meter).to(null)).isNull();
            assertThat(new OutgoingContext(meter("mode: enforce")).to("billing.internal"))
                    .isNull();
        }
    }

    @Test
    void whereNobodyIsKnownNothingIsSaid() {
        assertThat(new OutgoingContext(meter).to("billing.internal")).isNull();
    }

    @Test
    void whatARequestOrReactorCarriesIsSaid() {
        BudgetContext request = meter.request(source -> "globex");
        OutgoingContext outgoing = new OutgoingContext(meter);

        assertThat(outgoing.to("billing.internal", request)).contains("tenant=globex");
        try (TokenBudgets.Scope scope = TokenBudgets.open(request)) {
            assertThat(outgoing.to("billing.internal")).contains("tenant=globex");
        }
        Run run = Objects.requireNonNull(meter.begin(RunTerms.of(planner())));
        assertThat(outgoing.to("billing.internal", run.carried())).contains("tenant=acme", "run=");
    }

    @Test
    void theJdksClientSaysIt() throws Exception {
        List<@Nullable String> received = new ArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            received.addAll(exchange.getRequestHeaders().getOrDefault(ContextHeader.NAME, List.of("nothing")));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        try (TokenBudgets.Scope scope = TokenBudgets.open(planner())) {
            HttpClient client =
                    new OutgoingContext(meter).with(HttpClient.newBuilder()).build();
            for (String host : List.of("localhost", "127.0.0.1")) {
                HttpRequest request = HttpRequest.newBuilder(URI.create(
                                "http://" + host + ':' + server.getAddress().getPort()))
                        .build();
                client.send(request, HttpResponse.BodyHandlers.discarding());
                client.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                        .join();
            }
        } finally {
            server.stop(0);
        }

        assertThat(received)
                .containsExactly("agent=planner,tenant=acme", "agent=planner,tenant=acme", "nothing", "nothing");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // who has connected, X-Forwarded-For, Forwarded, whether it is believed
                "10.1.2.3, -, -, true",
                "0:0:0:0:0:0:0:1, -, -, true",
                "203.0.113.9, -, -, false",
                "-, -, -, false",
                "billing.internal, -, -, false",
                "10.1.2.3, '10.9.9.9, 10.8.8.8:443', -, true",
                "10.1.2.3, '203.0.113.9, 10.8.8.8', -, false",
                "10.1.2.3, '10.8.8.8, 203.0.113.9', -, false",
                "10.1.2.3, unknown, -, false",
                "10.1.2.3, '', -, false",
                "10.1.2.3, -, 'for=10.4.4.4;proto=http, for=\"[::1]:80\"', true",
                "10.1.2.3, -, 'For=203.0.113.9', false",
                "10.1.2.3, -, 'proto=https', false",
                "10.1.2.3, -, 'for=_hidden', false",
                "10.1.2.3, 10.4.4.4, for=203.0.113.9, false",
            })
    void everybodyOnTheWayHasToBeBelieved(
            @Nullable String peer, @Nullable String forwardedFor, @Nullable String forwarded, boolean believed) {
        IncomingContext incoming = new IncomingContext(meter, notices::add);
        Received request = new Received(peer, List.of(SAID), list(forwardedFor), list(forwarded));

        ContextHeader read = incoming.read(request);
        incoming.read(request);

        assertThat(read).isEqualTo(believed ? ContextHeader.parse(SAID) : null);
        assertThat(incoming.ignored()).isEqualTo(believed ? 0 : 2);
        assertThat(notices).hasSize(believed ? 0 : 1);
    }

    private static List<String> list(@Nullable String value) {
        return value == null ? List.of() : List.of(value);
    }

    @Test
    void whoeverIsNotConfiguredIsNotBelieved() {
        IncomingContext incoming = new IncomingContext(meter("mode: enforce"), notices::add);

        assertThat(incoming.read(new Received("127.0.0.1", List.of(SAID), List.of(), List.of())))
                .isNull();
        assertThat(notices).singleElement().asString().contains("127.0.0.1", "believe-context-from");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tenant", "tenant=", "tenant=a\u0001", "tenant=%zz", "tenant=a,tenant=b", ","})
    void whatCannotBeReadIsIgnored(String malformed) {
        IncomingContext incoming = new IncomingContext(meter, notices::add);

        assertThat(incoming.read(new Received("10.0.0.1", List.of(malformed), List.of(), List.of())))
                .isNull();
        assertThat(incoming.read(new Received("10.0.0.1", List.of(SAID, SAID), List.of(), List.of())))
                .isNull();
        assertThat(incoming.ignored()).isEqualTo(2);
        assertThat(notices).singleElement().asString().contains("cannot be read");
    }

    @Test
    void aRequestWithoutItIsNoWarning() {
        IncomingContext incoming = new IncomingContext(meter, notices::add);

        assertThat(incoming.read(new Received(null, List.of(), List.of(), List.of())))
                .isNull();
        assertThat(incoming.ignored()).isZero();
        assertThat(notices).isEmpty();
    }
}
