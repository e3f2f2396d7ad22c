package io.tokenbudget.examples.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.testkit.GuidePage;
import io.tokenbudget.testkit.status.BudgetsEndpoint;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("examples/micronaut, and docs/micronaut.md, whose code and configuration are its own")
class SupportServiceTest {
    private static final Path PAGE = Path.of("../../docs/micronaut.md");

    private final ProviderStub stub = ProviderStub.start(0);
    private final HttpClient client = HttpClient.newHttpClient();
    private EmbeddedServer server = start("gpt-4o-mini");

    private EmbeddedServer start(String model) {
        return ApplicationContext.run(
                EmbeddedServer.class,
                Map.of(
                        "micronaut.server.port",
                        -1,
                        "provider.url",
                        stub.baseUrl() + "/v1",
                        "provider.key",
                        "test",
                        "provider.model",
                        model));
    }

    @AfterEach
    void stop() {
        server.close();
        stub.close();
    }

    private HttpResponse<String> get(String path, String tenant) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.getURI() + path))
                .header("X-Tenant-Id", tenant)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private BudgetsSnapshot budgets() {
        return new BudgetsEndpoint(URI.create(server.getURI() + "/tokenbudgets")).read();
    }

    @Test
    void eachTenantHasWhatTheProviderBilledForIt() throws Exception {
        assertThat(get("/tickets/1?question=Why", "acme").statusCode()).isEqualTo(200);
        long acme = stub.ledger().billed("test").totalTokens();
        assertThat(get("/tickets/2?question=Why%20not", "globex").statusCode()).isEqualTo(200);
        assertThat(budgets().used("tenant:acme", "tokens")).isEqualTo(acme);
        assertThat(budgets().used("tenant:globex", "tokens"))
                .isEqualTo(stub.ledger().billed("test").totalTokens() - acme);
        assertThat(budgets().used("agent:assistant", "tokens"))
                .isEqualTo(stub.ledger().billed("test").totalTokens());
    }

    @Test
    void aTenantWithoutRoomIsAnswered429UntilItHasSome() throws Exception {
        HttpResponse<String> answer = get("/tickets/1?question=Why", "trial");
        for (int i = 2; answer.statusCode() == 200 && i < 100; i++) {
            answer = get("/tickets/" + i + "?question=Why", "trial");
        }
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().firstValueAsLong("Retry-After").orElse(0)).isPositive();
        assertThat(answer.body()).contains("tenant:trial").contains("limit-reached");
        assertThat(get("/tickets/1?question=Why", "acme").statusCode()).isEqualTo(200);
    }

    @Test
    void aFallbackAnswersInstead() throws Exception {
        assertThat(get("/briefly?question=Why", "acme").body()).isEqualTo("We come back to you.");
        assertThat(stub.ledger().billed("test").totalTokens()).isZero();
    }

    @Test
    @DisplayName("C7: what @Retryable tries again under one key is one run, and its attempts are counted")
    void attemptsAreCounted() throws Exception {
        server.close();
        server = start("gpt-4o-mini@error-500-twice");
        assertThat(get("/tickets/7?question=Why", "acme").statusCode()).isEqualTo(200);
        assertThat(budgets().used("agent:assistant", "attempts")).isEqualTo(3);
        assertThat(budgets().used("tenant:acme", "tokens"))
                .isEqualTo(stub.ledger().billed("test").totalTokens());
    }

    @Test
    void theCodeOnThePageIsTheExamples() throws Exception {
        assertThat(GuidePage.missing(
                        PAGE, Path.of("src/main/java/io/tokenbudget/examples/micronaut/SupportService.java")))
                .isEmpty();
        String page = Files.readString(PAGE);
        String configuration = Files.readString(Path.of("src/main/resources/application.yml"));
        String shown = page.substring(page.indexOf("```yml\n") + 7, page.indexOf("```", page.indexOf("```yml\n") + 7));
        assertThat(configuration).contains(shown);
    }
}
