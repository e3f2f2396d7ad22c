package io.tokenbudget.integrationtests.springai;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.testkit.matrix.ModelSpec;
import io.tokenbudget.testkit.matrix.Provider;
import io.tokenbudget.testkit.status.BudgetsEndpoint;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

@Tag("accounting-matrix")
@Tag("callers")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("C10 who is calling, as Spring Security knows it of a WebFlux request, under the agent")
class SecuredWebFluxAgentTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ProviderStub STUB = ProviderStub.start(0);

    private final BudgetsEndpoint agent =
            new BudgetsEndpoint(URI.create(System.getProperty("accounting-matrix.budgets", "")));
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Secured.class);
    private final DisposableServer server = HttpServer.create()
            .host(InetAddress.getLoopbackAddress().getHostAddress())
            .port(0)
            .handle(new ReactorHttpHandlerAdapter(
                    WebHttpHandlerBuilder.applicationContext(context).build()))
            .bindNow();

    /** Open to a user with a password and to everybody with a token; nothing in it knows of budgets. */
    @Configuration
    @EnableWebFlux
    @EnableWebFluxSecurity
    static class Secured {
        @Bean
        SecurityWebFilterChain everybodyHasALogin(ServerHttpSecurity http) {
            return http.authorizeExchange(requests -> requests.pathMatchers("/open/**")
                            .permitAll()
                            .anyExchange()
                            .authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .oauth2ResourceServer(tokens -> tokens.jwt(Customizer.withDefaults()))
                    .build();
        }

        @Bean
        MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(User.withUsername("ann")
                    .password("{noop}secret")
                    .roles("USER")
                    .build());
        }

        /** Believes every token, as no application should: its text is who has it. */
        @Bean
        ReactiveJwtDecoder tokens() {
            return token -> Mono.just(Jwt.withTokenValue(token)
                    .header("alg", "none")
                    .subject(token)
                    .claim("company", "company-of-" + token)
                    .build());
        }

        @Bean
        Asking asking() {
            return new Asking();
        }
    }

    @RestController
    static class Asking {
        /** Each key has a budget of its own. */
        private static ChatClient client(String key) {
            ModelSpec spec = new ModelSpec(Provider.OPENAI, STUB.baseUrl(), key, key + "/ok", null, 0, PATIENCE);
            ToolCallingManager manager = ToolCallingManager.builder().build();
            return Generation.present().client(Generation.present().model(spec, manager), manager);
        }

        @GetMapping("/ask/{key}")
        Flux<String> ask(@PathVariable("key") String key) {
            return client(key).prompt("Who pays?").stream().content();
        }

        @GetMapping("/open/{key}")
        Mono<String> open(@PathVariable("key") String key) {
            return ask(key).collectList().map(pieces -> String.join("", pieces));
        }
    }

    @AfterAll
    void stop() {
        server.disposeNow();
        context.close();
        STUB.close();
    }

    private int get(String path, String... fields) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
        if (fields.length > 0) {
            request.headers(fields);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString()).statusCode();
    }

    private static String basic() {
        return "Basic " + Base64.getEncoder().encodeToString("ann:secret".getBytes(StandardCharsets.UTF_8));
    }

    /** The budgets once what {@code key} was billed is booked. */
    private BudgetsSnapshot booked(String key) throws InterruptedException {
        long billed = STUB.ledger().billed(key).totalTokens();
        assertThat(billed).isPositive();
        return agent.await(budgets -> budgets.used("model:" + key, "tokens") == billed, PATIENCE);
    }

    @Test
    void theUserWhoIsLoggedInIsCharged() throws Exception {
        assertThat(get("/ask/by-user", "Authorization", basic())).isEqualTo(200);

        BudgetsSnapshot budgets = booked("by-user");
        assertThat(budgets.used("login:ann", "tokens")).isEqualTo(budgets.used("model:by-user", "tokens"));
    }

    @Test
    void aClaimOfTheTokenIsChargedAndWhatTheHeaderSaysBesideIt() throws Exception {
        assertThat(get("/ask/by-token", "Authorization", "Bearer bob", "X-Tenant-Id", "of-header"))
                .isEqualTo(200);

        BudgetsSnapshot budgets = booked("by-token");
        long billed = budgets.used("model:by-token", "tokens");
        assertThat(budgets.used("login:bob", "tokens")).isEqualTo(billed);
        assertThat(budgets.used("company:company-of-bob", "tokens")).isEqualTo(billed);
        assertThat(budgets.used("user:of-header", "tokens")).isEqualTo(billed);
    }

    @Test
    void whereNobodyIsLoggedInTheHeaderCountsAlone() throws Exception {
        long others = agent.read().used("login:", "tokens");
        assertThat(get("/open/by-nobody", "X-Tenant-Id", "guest")).isEqualTo(200);

        BudgetsSnapshot budgets = booked("by-nobody");
        assertThat(budgets.used("user:guest", "tokens")).isEqualTo(budgets.used("model:by-nobody", "tokens"));
        assertThat(budgets.used("login:", "tokens")).isEqualTo(others);
    }

    @Test
    void whoeverIsNotLetInIsNotCharged() throws Exception {
        assertThat(get("/ask/by-stranger", "X-Tenant-Id", "stranger")).isEqualTo(401);

        assertThat(STUB.ledger().calls("by-stranger")).isEmpty();
        assertThat(agent.read().used("user:stranger", "tokens")).isZero();
    }
}
