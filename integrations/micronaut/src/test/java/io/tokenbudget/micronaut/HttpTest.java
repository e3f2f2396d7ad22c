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
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.sse.Event;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.security.filters.AuthenticationFetcher;
import io.tokenbudget.BudgetContext;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.testkit.inprocess.Snapshots;
import io.tokenbudget.testkit.status.BudgetsEndpoint;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@DisplayName("Micronaut over real HTTP: who calls, what a refused caller is told, what the endpoint says")
class HttpTest {
    private static final int TENANTS = 20;
    private static final int REQUESTS = 200;

    private final ProviderStub stub = ProviderStub.start(0);
    private final EmbeddedServer server = ApplicationContext.run(
            EmbeddedServer.class,
            Map.of(
                    "http-test",
                    "on",
                    "micronaut.server.port",
                    -1,
                    "micronaut.security.intercept-url-map",
                    List.of(Map.of("pattern", "/**", "access", "isAnonymous()")),
                    "stub",
                    stub.baseUrl() + "/v1",
                    "endpoints.tokenbudgets.sensitive",
                    false,
                    "token-budget.identity.tenant",
                    List.of("header:X-Tenant-Id", "literal:nobody"),
                    "token-budget.http.remaining",
                    true,
                    "token-budget.identity.user",
                    List.of("principal"),
                    "token-budget.identity.project",
                    List.of("claim:team"),
                    "token-budget.budgets",
                    List.of(
                            row("tenant", "1M tokens per 1h"),
                            row("tenant:small", "10 tokens per 1h"),
                            row("tenant:platform", "11 tokens per 1h"),
                            row("tenant:nobody", "12 tokens per 1h"),
                            row("user", "1M tokens per 1h"),
                            row("project", "1M tokens per 1h"),
                            row("model", "1M tokens per 1h"),
                            row("agent", "1M tokens per 1h"))));
    private final HttpClient client = HttpClient.newHttpClient();

    private static Map<String, Object> row(String scope, String limit) {
        return Map.of("scope", scope, "limits", List.of(limit));
    }

    @AfterEach
    void stop() {
        server.close();
        stub.close();
    }

    /** Believes who says a name, as no application should. */
    @Singleton
    @Requires(property = "http-test")
    static class Login implements AuthenticationFetcher<io.micronaut.http.HttpRequest<?>> {
        @Override
        public Publisher<Authentication> fetchAuthentication(io.micronaut.http.HttpRequest<?> request) {
            return Mono.justOrEmpty(request.getHeaders().get("X-Login"))
                    .map(name -> Authentication.build(name, Map.of("team", "blue")));
        }
    }

    @Factory
    @Requires(property = "http-test")
    static class Models {
        @Singleton
        ChatModel chat(@Value("${stub}") String url) {
            return OpenAiChatModel.builder()
                    .baseUrl(url)
                    .apiKey("test")
                    .modelName("unnamed")
                    .maxRetries(0)
                    .build();
        }
    }

    @Controller
    @Requires(property = "http-test")
    static class Answers {
        private final ChatModel model;

        Answers(ChatModel model) {
            this.model = model;
        }

        private String ask(String name) {
            return model.chat(ChatRequest.builder()
                            .modelName(name)
                            .messages(UserMessage.from("A question of " + name))
                            .build())
                    .aiMessage()
                    .text();
        }

        @Get("/blocking")
        @ExecuteOn(TaskExecutors.BLOCKING)
        String blocking(@QueryValue String model) {
            return ask(model);
        }

        @Get("/annotated")
        @ExecuteOn(TaskExecutors.BLOCKING)
        @TokenBudget(agent = "annotated")
        String annotated(@QueryValue String model) {
            return ask(model);
        }

        @Get("/for-others")
        @ExecuteOn(TaskExecutors.BLOCKING)
        @TokenBudget(tenant = "platform")
        String forOthers(@QueryValue String model) {
            return ask(model);
        }

        @Get("/mono")
        @ExecuteOn(TaskExecutors.BLOCKING)
        Mono<String> mono(@QueryValue String model) {
            return Mono.fromCallable(() -> ask(model));
        }

        @Get("/mono-elsewhere")
        @TokenBudget(agent = "elsewhere")
        Mono<String> monoElsewhere(@QueryValue String model) {
            return Mono.fromCallable(TokenBudgets.wrap((Callable<String>) () -> ask(model)))
                    .subscribeOn(Schedulers.boundedElastic());
        }

        @Get(value = "/stream", produces = MediaType.TEXT_EVENT_STREAM)
        Flux<Event<String>> stream(@QueryValue String model) {
            return Flux.just("wait")
                    .concatWith(mono(model).subscribeOn(Schedulers.boundedElastic()))
                    .map(Event::of);
        }

        @Get(value = "/refused-stream", produces = MediaType.TEXT_EVENT_STREAM)
        Flux<String> refusedStream(@QueryValue String model) {
            return mono(model).subscribeOn(Schedulers.boundedElastic()).flux();
        }

        @Get(value = "/stream-for-others", produces = MediaType.TEXT_EVENT_STREAM)
        @SuppressWarnings("try") // what is open is not looked at
        Flux<Event<String>> streamForOthers(@QueryValue String model) {
            Callable<String> asPlatform = () -> {
                BudgetContext platform =
                        BudgetContext.builder().tenant("platform").build();
                try (TokenBudgets.Scope scope = TokenBudgets.open(platform)) {
                    return ask(model);
                }
            };
            return Flux.just("wait")
                    .concatWith(Mono.fromCallable(asPlatform).subscribeOn(Schedulers.boundedElastic()))
                    .map(Event::of);
        }

        @Get("/wrapped")
        @ExecuteOn(TaskExecutors.BLOCKING)
        String wrapped(@QueryValue String model) {
            try {
                return ask(model);
            } catch (RuntimeException refused) {
                throw new IllegalStateException("the application's own", new IOException(refused));
            }
        }
    }

    private HttpRequest request(String path, String tenant) {
        return HttpRequest.newBuilder(URI.create(server.getURI() + path + "?model=" + tenant))
                .header("X-Tenant-Id", tenant)
                .build();
    }

    private HttpResponse<String> get(String path, String tenant) throws Exception {
        return client.send(request(path, tenant), HttpResponse.BodyHandlers.ofString());
    }

    private BudgetsSnapshot budgets() {
        return Snapshots.of(
                server.getApplicationContext().getBean(Metering.class).report());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/blocking", "/annotated", "/mono"})
    @DisplayName("C10: 200 parallel requests of 20 tenants, and no tenant's number shows in another's")
    void tenantsDoNotMeet(String path) {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            String tenant = "t" + "x".repeat(i % TENANTS);
            answers.add(client.sendAsync(request(path, tenant), HttpResponse.BodyHandlers.ofString()));
        }
        answers.forEach(answer -> assertThat(answer.join().statusCode()).isEqualTo(200));
        BudgetsSnapshot budgets = budgets();
        long all = 0;
        for (BudgetsSnapshot.Entry entry : budgets.budgets()) {
            if (entry.scope().startsWith("tenant:t")) {
                String model = entry.scope().replace("tenant:", "model:");
                assertThat(entry.used())
                        .as(entry.scope())
                        .isEqualTo(budgets.budgets().stream()
                                .filter(other -> other.scope().equals(model))
                                .mapToLong(BudgetsSnapshot.Entry::used)
                                .sum());
                all += entry.used();
            }
        }
        assertThat(all).isEqualTo(stub.ledger().billed("test").totalTokens());
        assertThat(budgets.held()).isZero();
        assertThat(budgets.used("tenant:nobody", "tokens")).isZero();
        assertThat(budgets.used("agent:annotated", "tokens")).isEqualTo(path.equals("/annotated") ? all : 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/blocking", "/annotated", "/mono", "/wrapped"})
    @DisplayName("A refusal that comes out of a controller is answered 429, also inside of another exception")
    void aRefusalIsAnswered(String path) throws Exception {
        HttpResponse<String> answer = get(path, "small");
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(answer.headers().firstValue("RateLimit-Policy"))
                .hasValue("\"tenant-tokens-1h\";q=10;qu=\"tokens\";w=3600");
        assertThat(answer.body())
                .contains("\"code\":\"never-fits\"")
                .contains("\"scope\":\"tenant:small\"")
                .doesNotContain("the application's own");
    }

    @Test
    @DisplayName("A refusal of another tenant's budget tells nothing of it but how long to wait")
    void ofOthersBudgetsNothingIsTold() throws Exception {
        HttpResponse<String> answer = get("/for-others", "t1");
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy");
        assertThat(answer.body())
                .contains("\"code\":\"never-fits\"")
                .doesNotContain("platform", "11", "\"scope\"", "\"limit\"");
        assertThat(get("/for-others", "platform").body()).contains("\"scope\":\"tenant:platform\"");
    }

    @Test
    @DisplayName("A refusal of the budget that a literal names for many callers tells nothing of it")
    void aLiteralIsNobodysOwn() throws Exception {
        HttpRequest unnamed = HttpRequest.newBuilder(URI.create(server.getURI() + "/blocking?model=m"))
                .build();
        HttpResponse<String> answer = client.send(unnamed, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy");
        assertThat(answer.body()).contains("never-fits").doesNotContain("nobody", "12", "\"scope\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/blocking", "/mono"})
    @DisplayName("An answer says what is left of its caller's own budgets, if that is switched on")
    void itSaysWhatIsLeft(String path) throws Exception {
        assertThat(get(path, "left").headers().firstValue("ratelimit"))
                .hasValueSatisfying(limit -> assertThat(limit)
                        .matches("\"tenant-tokens-1h\";r="
                                + (1_000_000 - stub.ledger().billed("test").totalTokens())
                                + ";t=3[5-6]\\d\\d"));
        assertThat(get("/stream", "left").headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy");
    }

    @Test
    @DisplayName("A stream of events ends with an event that tells of the refusal")
    void aStreamEndsWithAnEvent() throws Exception {
        HttpResponse<String> answer = get("/stream", "small");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .startsWith("data: wait\n\nevent: error\ndata: {\"type\"")
                .contains("\"code\":\"never-fits\"", "\"scope\":\"tenant:small\"")
                .endsWith("}\n\n");

        assertThat(get("/stream-for-others", "t1").body())
                .contains("event: error", "never-fits")
                .doesNotContain("platform", "\"scope\"");
        assertThat(get("/refused-stream", "small").body())
                .startsWith("event: error")
                .contains("never-fits");
    }

    @Test
    @DisplayName("Micronaut Security's principal and its claims are sources")
    void whoIsAuthenticatedIsASource() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.getURI() + "/blocking?model=m"))
                .header("X-Login", "ada")
                .header("X-Tenant-Id", "t1")
                .build();
        assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
        long billed = stub.ledger().billed("test").totalTokens();
        assertThat(budgets().used("user:ada", "tokens")).isEqualTo(billed);
        assertThat(budgets().used("project:blue", "tokens")).isEqualTo(billed);
    }

    @Test
    @DisplayName("C10: what a method hands to another scheduler takes its run and its caller along where it is wrapped")
    void aWrappedTaskOnAnotherSchedulerIsInItsRun() throws Exception {
        assertThat(get("/mono-elsewhere", "t1").statusCode()).isEqualTo(200);
        long billed = stub.ledger().billed("test").totalTokens();
        assertThat(budgets().used("agent:elsewhere", "tokens")).isEqualTo(billed);
        assertThat(budgets().used("tenant:t1", "tokens")).isEqualTo(billed);
    }

    @Test
    @DisplayName("GET /tokenbudgets says what GET /budgets of the agent says, one scope alone too")
    void theEndpointSaysAll() throws Exception {
        assertThat(get("/blocking", "t1").statusCode()).isEqualTo(200);
        BudgetsSnapshot read = new BudgetsEndpoint(URI.create(server.getURI() + "/tokenbudgets")).read();
        assertThat(read).isEqualTo(budgets());
        assertThat(get("/tokenbudgets", "t1").body())
                .contains("\"resetsAt\":null")
                .contains("\"unlimited\":false");
        HttpResponse<String> one = get("/tokenbudgets/tenant:t1", "t1");
        assertThat(one.body()).contains("tenant:t1").doesNotContain("model:");
        assertThat(get("/tokenbudgets/tenant:t2", "t2").statusCode()).isEqualTo(404);
    }
}
