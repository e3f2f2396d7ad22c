package io.tokenbudget.integrationtests.springai;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.ProviderStub;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** A WebFlux endpoint that streams a model's answer. */
@Tag("accounting-matrix")
@Tag("webflux")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WebFluxMatrix {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String QUESTION = "What will the weather be like on Sunday?";

    abstract ProviderStub stub();

    /** A metered model whose calls the provider bills to {@code tenant}. */
    abstract ChatModel model(String tenant, String scenario);

    abstract ToolCallingManager manager();

    /** {@code answer} as the endpoint hands it on for {@code tenant}. */
    abstract <T> Flux<T> calledBy(String tenant, Flux<T> answer);

    /** What is booked in {@code unit} on the budget that these tests have for {@code tenant}. */
    abstract long used(String tenant, String unit);

    /** Waits until nothing is held, and fails if anything has been held by others or in vain. */
    abstract void assertComesToRest();

    @SuppressWarnings("NullAway.Init") // before all tests
    private DisposableServer server;

    @BeforeAll
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

    @AfterAll
    void stopServer() {
        server.disposeNow();
        stub().close();
    }

    /** Streams the answer, for the tenant that a header names. */
    private Mono<ServerResponse> answer(ServerRequest request) {
        String tenant = request.headers().firstHeader("X-Tenant-Id");
        Asking asking = Asking.valueOf(request.pathVariable("asking"));
        Flux<String> answer = asking.stream(model(tenant, request.pathVariable("scenario")), manager(), QUESTION)
                .mapNotNull(chunk -> chunk.getResult() == null
                        ? null
                        : chunk.getResult().getOutput().getText())
                .filter(text -> !text.isEmpty());
        return ServerResponse.ok()
                .contentType(MediaType.TEXT_EVENT_STREAM)
                .body(calledBy(tenant, answer), String.class);
    }

    /** Reads the first {@code events} of the answer and closes the connection. */
    private void ask(Asking asking, String tenant, String scenario, int events) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            String request = "GET /" + asking + '/' + scenario + " HTTP/1.1\r\nHost: localhost\r\n" + "X-Tenant-Id: "
                    + tenant + "\r\nAccept: text/event-stream\r\nConnection: close\r\n\r\n";
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
        String tenant = "leaves-" + asking;
        ask(asking, tenant, "endless", 6);
        stub().ledger().awaitLeftByClient(tenant, 1, PATIENCE);

        assertComesToRest();
        long billedOutput = stub().ledger().billed(tenant).outputTokens();
        assertThat(used(tenant, "output tokens")).isBetween(3L, billedOutput + 2);
        assertThat(stub().ledger().calls(tenant)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("C4, C10: an answer that is read to its end is booked to the token, to whom it was given")
    void anAnswerThatIsReadToItsEndIsBookedToTheToken(Asking asking) throws Exception {
        String tenant = "stays-" + asking;
        ask(asking, tenant, "ok", Integer.MAX_VALUE);

        assertComesToRest();
        assertThat(used(tenant, "tokens"))
                .isEqualTo(stub().ledger().billed(tenant).totalTokens())
                .isPositive();
    }
}
