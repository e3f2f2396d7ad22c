package io.tokenbudget.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.core.http.OutgoingContext;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.testkit.inprocess.Snapshots;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import jakarta.inject.Singleton;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName(
        "C7, C11 Micronaut: what a service does for another one's run is charged to that run, its tenant and its agent")
class TwoServicesTest {
    private final ProviderStub stub = ProviderStub.start(0);
    private EmbeddedServer answering = answering("127.0.0.1");
    private final HttpClient client = HttpClient.newHttpClient();

    private static Map<String, Object> row(String scope, String limit) {
        return Map.of("scope", scope, "limits", List.of(limit));
    }

    private EmbeddedServer answering(String believed) {
        return server(Map.of(
                "two-services",
                "answering",
                "stub",
                stub.baseUrl() + "/v1",
                "token-budget.identity.tenant",
                "literal:own",
                "token-budget.http.believe-context-from",
                List.of(believed),
                "token-budget.budgets",
                List.of(row("tenant", "1M tokens per 1h"), row("agent", "1M tokens per 1h"), row("run", "1M tokens"))));
    }

    private static EmbeddedServer server(Map<String, Object> configuration) {
        Map<String, Object> all = new HashMap<>(configuration);
        all.put("micronaut.server.port", -1);
        all.put("micronaut.security.enabled", false);
        return ApplicationContext.run(EmbeddedServer.class, all);
    }

    private EmbeddedServer asking(String host) {
        return server(Map.of(
                "two-services", "asking",
                "answering.url", "http://" + host + ':' + answering.getPort(),
                "token-budget.identity.tenant", "header:X-Tenant-Id",
                "token-budget.http.send-context-to", "localhost"));
    }

    @AfterEach
    void stop() {
        answering.close();
        stub.close();
    }

    @Factory
    @Requires(property = "two-services", value = "answering")
    static class Models {
        @Singleton
        ChatModel chat(@Value("${stub}") String url) {
            return OpenAiChatModel.builder()
                    .baseUrl(url)
                    .apiKey("test")
                    .modelName("gpt-4o-mini")
                    .maxRetries(0)
                    .build();
        }
    }

    @Controller
    @Requires(property = "two-services", value = "answering")
    static class Answers {
        private final ChatModel model;

        Answers(ChatModel model) {
            this.model = model;
        }

        @Get("/ask")
        @ExecuteOn(TaskExecutors.BLOCKING)
        String ask() {
            return model.chat("What is on offer?");
        }
    }

    @Client("${answering.url}")
    @Requires(property = "two-services", value = "asking")
    interface Declared {
        @Get("/ask")
        String ask();
    }

    @Singleton
    @Requires(property = "two-services", value = "asking")
    static class Planner {
        private final Declared declared;
        private final io.micronaut.http.client.HttpClient micronauts;
        private final HttpClient jdks;
        private final String url;

        Planner(
                Declared declared,
                @Client("${answering.url}") io.micronaut.http.client.HttpClient micronauts,
                OutgoingContext outgoing,
                @Value("${answering.url}") String url) {
            this.declared = declared;
            this.micronauts = micronauts;
            this.jdks = outgoing.with(HttpClient.newBuilder()).build();
            this.url = url;
        }

        @TokenBudget(agent = "planner")
        String askTwice(String by) throws Exception {
            return ask(by) + ask(by);
        }

        private String ask(String by) throws Exception {
            return switch (by) {
                case "declared" -> declared.ask();
                case "plain" -> micronauts.toBlocking().retrieve("/ask");
                default ->
                    jdks.send(
                                    HttpRequest.newBuilder(URI.create(url + "/ask"))
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .body();
            };
        }
    }

    @Controller
    @Requires(property = "two-services", value = "asking")
    static class Asking {
        private final Planner planner;

        Asking(Planner planner) {
            this.planner = planner;
        }

        @Get("/relay")
        @ExecuteOn(TaskExecutors.BLOCKING)
        String relay(@QueryValue String by) throws Exception {
            return planner.askTwice(by);
        }
    }

    private void relay(String host, String by) throws Exception {
        try (EmbeddedServer asking = asking(host)) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(asking.getURI() + "/relay?by=" + by))
                    .header("X-Tenant-Id", "acme")
                    .build();
            assertThat(client.send(request, HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    private long used(String scope) {
        return budgets().used(scope, "tokens");
    }

    private BudgetsSnapshot budgets() {
        return Snapshots.of(
                answering.getApplicationContext().getBean(Metering.class).report());
    }

    private long billed() {
        return stub.ledger().billed("test").totalTokens();
    }

    private List<Long> runs() {
        return budgets().budgets().stream()
                .filter(budget -> budget.scope().startsWith("run:") && budget.used() > 0)
                .map(BudgetsSnapshot.Entry::used)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"declared", "plain", "jdk"})
    void eachClientSaysForWhomItAsks(String by) throws Exception {
        relay("localhost", by);

        assertThat(billed()).isPositive();
        assertThat(used("tenant:acme")).isEqualTo(billed());
        assertThat(used("agent:planner")).isEqualTo(billed());
        assertThat(runs()).containsExactly(billed());
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.0/8, localhost", "127.0.0.1, 127.0.0.1"})
    void whoIsNotBelievedOrNotToldIsChargedAsEverybody(String believed, String host) throws Exception {
        answering.close();
        answering = answering(believed);
        relay(host, "declared");

        assertThat(used("tenant:own")).isEqualTo(billed());
        assertThat(used("tenant:acme")).isZero();
        assertThat(runs())
                .as("of two, which leave memory when nobody knows them any more")
                .allSatisfy(used -> assertThat(used).isLessThan(billed()));
    }

    @Test
    void whatCameThroughSomebodyWhoIsNotBelievedIsNot() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(answering.getURI() + "/ask"))
                .header("Token-Budget-Context", "tenant=acme")
                .header("X-Forwarded-For", "203.0.113.9")
                .build();
        assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);

        assertThat(used("tenant:own")).isEqualTo(billed());
    }
}
