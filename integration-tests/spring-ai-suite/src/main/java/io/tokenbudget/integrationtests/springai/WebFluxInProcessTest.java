package io.tokenbudget.integrationtests.springai;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.util.context.Context;

@DisplayName("A WebFlux endpoint that streams a Spring AI model's answer")
@Tag("accounting-matrix")
class WebFluxInProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String QUESTION = "What will the weather be like on Sunday?";

    private final Tenants tenants = new Tenants();

    @SuppressWarnings("NullAway.Init") // before each test
    private DisposableServer server;

    @BeforeEach
    void startServer() {
        var routes = RouterFunctions.route()
                .GET("/{asking}/{scenario}", this::answer)
                .build();
        server = HttpServer.create()
                .host(InetAddress.getLoopbackAddress().getHostAddress())
                .port(0)
                .handle(new ReactorHttpHandlerAdapter(RouterFunctions.toHttpHandler(routes)))
                .bindNow();
    }

    @AfterEach
    void stopServer() {
        server.disposeNow();
        tenants.close();
    }

    /** Streams the answer, for the tenant that a header names. */
    private Mono<ServerResponse> answer(ServerRequest request) {
        String tenant = request.headers().firstHeader("X-Tenant-Id");
        Asking asking = Asking.valueOf(request.pathVariable("asking"));
        Flux<String> answer = asking.stream(
                        tenants.model(tenant, request.pathVariable("scenario")), tenants.manager(), QUESTION)
                .mapNotNull(chunk -> chunk.getResult() == null
                        ? null
                        : chunk.getResult().getOutput().getText())
                .filter(text -> !text.isEmpty())
                .contextWrite(Context.of(
                        BudgetContext.KEY,
                        BudgetContext.builder().tenant(tenant).build()));
        return ServerResponse.ok().contentType(MediaType.TEXT_EVENT_STREAM).body(answer, String.class);
    }

    /** Reads the first {@code events} of the answer and closes the connection. */
    private void ask(Asking asking, String scenario, int events) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            String request = "GET /" + asking + '/' + scenario + " HTTP/1.1\r\nHost: localhost\r\n"
                    + "X-Tenant-Id: acme\r\nAccept: text/event-stream\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            BufferedReader answer =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            int seen = 0;
            for (String line = answer.readLine(); line != null && seen < events; line = answer.readLine()) {
                seen += line.startsWith("data:") ? 1 : 0;
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("C5: when the browser goes away in mid-stream, what has flowed is booked and the provider is told")
    void whenTheBrowserGoesAwayWhatHasFlowedIsBooked(Asking asking) throws Exception {
        ask(asking, "endless", 6);
        tenants.stub.ledger().awaitLeftByClient("acme", 1, PATIENCE);

        tenants.assertComesToRest();
        long billedOutput = tenants.stub.ledger().billed("acme").outputTokens();
        assertThat(tenants.usedOutput("acme")).isBetween(3L, billedOutput + 2);
        assertThat(tenants.report().calls().metered()).isOne();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("C4, C10: an answer that is read to its end is booked to the token, to the tenant of the request")
    void anAnswerThatIsReadToItsEndIsBookedToTheToken(Asking asking) throws Exception {
        ask(asking, "ok", Integer.MAX_VALUE);

        tenants.assertComesToRest();
        assertThat(tenants.used("acme")).isEqualTo(tenants.billed("acme")).isPositive();
    }
}
