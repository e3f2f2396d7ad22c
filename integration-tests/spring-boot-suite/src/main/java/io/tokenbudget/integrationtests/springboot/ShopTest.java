package io.tokenbudget.integrationtests.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("Starter, Spring MVC: who calls is read from the request, and a refusal is answered 429")
public class ShopTest {
    private static final int TENANTS = 20;
    private static final int REQUESTS = 200;

    private final Application application = Application.start(
            Shop.class,
            "spring.ai.openai.chat.options.stream-usage=true",
            "management.endpoints.web.exposure.include=tokenbudgets,health",
            "management.endpoint.health.show-details=always",
            "token-budget.identity.tenant=header:X-Tenant-Id",
            "token-budget.budgets[0].scope=tenant",
            "token-budget.budgets[0].limits[0]=1M tokens per 1h",
            "token-budget.budgets[1].scope=tenant:poor",
            "token-budget.budgets[1].limits[0]=2 tokens per 1h",
            "token-budget.identity.agent=header:X-Agent",
            "token-budget.budgets[2].scope=agent:shared",
            "token-budget.budgets[2].limits[0]=3 tokens per 1h",
            "token-budget.budgets[3].scope=tenant:spent",
            "token-budget.budgets[3].limits[0]=1 request per 1h");

    @AfterAll
    void stop() {
        application.close();
    }

    @Test
    @DisplayName("200 parallel requests of 20 tenants: each tenant is charged its own, to the token")
    void eachTenantIsChargedItsOwn() {
        HttpClient http = HttpClient.newHttpClient();
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        long billed = application.billed();
        for (int i = 0; i < REQUESTS; i++) {
            HttpRequest request = HttpRequest.newBuilder(application.uri("/ask"))
                    .header("X-Tenant-Id", "t" + i % TENANTS)
                    .build();
            answers.add(http.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
        }
        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.join().statusCode()).isEqualTo(200));

        long all = application.billed() - billed;
        for (int i = 0; i < TENANTS; i++) {
            assertThat(application.used("tenant:t" + i)).isEqualTo(all / TENANTS);
        }
        assertThat(application.held()).isZero();
    }

    @Test
    void aRefusalIsAnswered429ThoughTheApplicationMakesErrorsOfEverything() throws Exception {
        for (String path : List.of("/ask", "/wrapped", "/events")) {
            HttpResponse<String> answer = application.get(path, "X-Tenant-Id", "poor");
            assertThat(answer.statusCode()).as(path).isEqualTo(429);
            assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
            assertThat(answer.headers().firstValue("ratelimit")).hasValue("\"tenant-tokens-1h\";r=2");
            assertThat(answer.headers().firstValue("ratelimit-policy"))
                    .hasValue("\"tenant-tokens-1h\";q=2;qu=\"tokens\";w=3600");
            assertThat(answer.headers().firstValue("retry-after")).isEmpty();
            assertThat(answer.body()).contains("\"code\":\"never-fits\"", "\"scope\":\"tenant:poor\"");
        }
    }

    @Test
    void whenWaitingHelpsTheAnswerSaysHowLong() throws Exception {
        assertThat(application.get("/ask", "X-Tenant-Id", "spent").statusCode()).isEqualTo(200);
        HttpResponse<String> answer = application.get("/ask", "X-Tenant-Id", "spent");

        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().firstValueAsLong("retry-after").orElse(0)).isBetween(3500L, 3661L);
        assertThat(answer.body()).contains("\"code\":\"limit-reached\"");
    }

    @Test
    void ofABudgetThatCallersShareTheAnswerTellsNothing() throws Exception {
        HttpResponse<String> answer = application.get("/ask", "X-Tenant-Id", "rich", "X-Agent", "shared");

        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy");
        assertThat(answer.body()).contains("never-fits").doesNotContain("shared:", "agent", "3 tokens");
    }

    @Test
    void anApplicationThatAnswersRefusalsItselfDoes() throws Exception {
        HttpResponse<String> answer = application.get("/own", "X-Tenant-Id", "poor");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).isEqualTo("own answer to tenant:poor");
    }

    @Test
    void noCacheKeepsARefusal() throws Exception {
        HttpResponse<String> answer = application.get("/cached", "X-Tenant-Id", "poor");
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().allValues("cache-control")).containsExactly("no-store");
    }

    @Test
    void aStreamOfEventsThatHasBegunEndsWithAnEvent() throws Exception {
        HttpResponse<String> answer = application.get("/late", "X-Tenant-Id", "poor");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("wait", "event: error", "\"code\":\"never-fits\"");
    }

    @Test
    void withoutTheHeaderNobodyIsCharged() throws Exception {
        assertThat(application.get("/ask").statusCode()).isEqualTo(200);
        assertThat(application.status()).noneMatch(status -> status.scope().equals("tenant:default"));
    }

    @Test
    void theActuatorShowsBudgetsAndHealth() throws Exception {
        assertThat(application.get("/ask", "X-Tenant-Id", "shown").statusCode()).isEqualTo(200);

        HttpResponse<String> all = application.get("/actuator/tokenbudgets");
        assertThat(all.statusCode()).isEqualTo(200);
        assertThat(all.body()).contains("\"resetsAt\":null");
        assertThat(all.body())
                .contains("\"mode\":\"enforce\"", "\"scope\":\"tenant:shown\"", "\"scope\":\"tenant:poor\"");
        HttpResponse<String> one = application.get("/actuator/tokenbudgets/tenant:shown");
        assertThat(one.body()).contains("\"scope\":\"tenant:shown\"").doesNotContain("tenant:poor");
        assertThat(application.get("/actuator/tokenbudgets/tenant:nobody").statusCode())
                .isEqualTo(404);
        assertThat(application.get("/actuator/health").body()).contains("\"tokenBudget\"", "\"budgetRows\":4");
    }
}
