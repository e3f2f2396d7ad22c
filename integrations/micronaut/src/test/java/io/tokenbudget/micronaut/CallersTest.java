package io.tokenbudget.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.openai.OpenAiChatModel;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.Async;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.security.filters.AuthenticationFetcher;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.testkit.inprocess.Snapshots;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@DisplayName("C10 in Micronaut over real HTTP: 200 parallel requests of 20 callers whom Micronaut Security knows")
class CallersTest {
    private static final int CALLERS = 20;
    private static final int REQUESTS = 200;

    private final ProviderStub stub = ProviderStub.start(0);
    private final EmbeddedServer server = ApplicationContext.run(
            EmbeddedServer.class,
            Map.of(
                    "callers-test",
                    stub.baseUrl() + "/v1",
                    "micronaut.server.port",
                    -1,
                    "micronaut.security.intercept-url-map",
                    List.of(Map.of("pattern", "/**", "access", "isAuthenticated()")),
                    "token-budget.identity.tenant",
                    List.of("principal", "literal:nobody"),
                    "token-budget.identity.project",
                    List.of("claim:team", "literal:nobody"),
                    "token-budget.identity.workspace",
                    List.of("header:X-Workspace", "literal:nobody"),
                    "token-budget.budgets",
                    List.of(row("tenant"), row("project"), row("workspace"), row("model"))));
    private final HttpClient client = HttpClient.newHttpClient();

    private static Map<String, Object> row(String scope) {
        return Map.of("scope", scope, "limits", List.of("10M tokens per 1h"));
    }

    @AfterEach
    void stop() {
        server.close();
        stub.close();
    }

    /** Believes who says a name, as no application should. */
    @Singleton
    @Requires(property = "callers-test")
    static class Login implements AuthenticationFetcher<io.micronaut.http.HttpRequest<?>> {
        @Override
        public Publisher<Authentication> fetchAuthentication(io.micronaut.http.HttpRequest<?> request) {
            // On another thread, as one that asks a server for keys.
            return Mono.justOrEmpty(request.getHeaders().get("X-Login"))
                    .map(name -> Authentication.build(name, Map.of("team", "of-" + name)))
                    .subscribeOn(Schedulers.boundedElastic());
        }
    }

    @Factory
    @Requires(property = "callers-test")
    static class Models {
        @Singleton
        ChatModel chat(@Value("${callers-test}") String url) {
            return OpenAiChatModel.builder()
                    .baseUrl(url)
                    .apiKey("test")
                    .modelName("unnamed")
                    .maxRetries(0)
                    .build();
        }
    }

    @Singleton
    @Requires(property = "callers-test")
    static class Asking {
        private final ChatModel model;

        Asking(ChatModel model) {
            this.model = model;
        }

        String ask(String name) {
            return model.chat(ChatRequest.builder()
                            .modelName(name)
                            .messages(UserMessage.from("A question of " + name))
                            .build())
                    .aiMessage()
                    .text();
        }

        @Async(TaskExecutors.IO)
        CompletableFuture<String> later(String name) {
            return CompletableFuture.completedFuture(ask(name));
        }
    }

    @Controller("/callers")
    @Requires(property = "callers-test")
    static class Answers {
        private final Asking asking;
        private final ExecutorService io;

        Answers(Asking asking, @Named(TaskExecutors.IO) ExecutorService io) {
            this.asking = asking;
            this.io = io;
        }

        @Get("/blocking")
        @ExecuteOn(TaskExecutors.BLOCKING)
        String blocking(@QueryValue String model) {
            return asking.ask(model);
        }

        @Get("/annotated")
        @ExecuteOn(TaskExecutors.IO)
        @TokenBudget(agent = "annotated")
        CompletableFuture<String> annotated(@QueryValue String model) {
            return asking.later(model);
        }

        @Get("/async")
        CompletableFuture<String> async(@QueryValue String model) {
            return asking.later(model);
        }

        @Get("/executor")
        CompletableFuture<String> executor(@QueryValue String model) {
            return CompletableFuture.supplyAsync(() -> asking.ask(model), io);
        }

        @Get("/scheduler")
        @TokenBudget(agent = "scheduled")
        Mono<String> scheduler(@QueryValue String model) {
            return Mono.fromCallable(() -> asking.ask(model)).subscribeOn(Schedulers.boundedElastic());
        }
    }

    private HttpRequest request(String path, String caller) {
        return HttpRequest.newBuilder(URI.create(server.getURI() + "/callers/" + path + "?model=" + caller))
                .header("X-Login", caller)
                .header("X-Workspace", "at-" + caller)
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "annotated", "async", "executor", "scheduler"})
    void noCallersNumberShowsInAnothers(String path) {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            answers.add(client.sendAsync(
                    request(path, "c%02d".formatted(i % CALLERS)), HttpResponse.BodyHandlers.ofString()));
        }
        answers.forEach(answer ->
                assertThat(answer.join().statusCode()).as(answer.join().body()).isEqualTo(200));
        BudgetsSnapshot budgets = Snapshots.of(
                server.getApplicationContext().getBean(Metering.class).report());
        Map<String, Long> used = new HashMap<>();
        budgets.budgets().forEach(entry -> used.put(entry.scope(), entry.used()));
        long all = 0;
        for (int i = 0; i < CALLERS; i++) {
            String caller = "c%02d".formatted(i);
            long billed = used.getOrDefault("model:" + caller, 0L);
            assertThat(billed).as(caller).isPositive();
            assertThat(used)
                    .containsEntry("tenant:" + caller, billed)
                    .containsEntry("project:of-" + caller, billed)
                    .containsEntry("workspace:at-" + caller, billed);
            all += billed;
        }
        assertThat(all).isEqualTo(stub.ledger().billed("test").totalTokens());
        assertThat(budgets.held()).isZero();
        assertThat(used).doesNotContainKeys("tenant:nobody", "project:nobody", "workspace:nobody");
    }
}
