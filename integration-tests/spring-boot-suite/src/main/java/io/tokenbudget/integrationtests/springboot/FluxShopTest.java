package io.tokenbudget.integrationtests.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("Starter, WebFlux: who calls goes with the Reactor context, and a refusal is answered 429")
public class FluxShopTest {
    private final Application application = Application.start(
            FluxShop.class,
            "spring.main.web-application-type=reactive",
            "spring.ai.openai.chat.options.stream-usage=true",
            "token-budget.identity.tenant=header:X-Tenant-Id",
            "token-budget.budgets[0].scope=tenant",
            "token-budget.budgets[0].limits[0]=1M tokens per 1h",
            "token-budget.budgets[1].scope=tenant:poor",
            "token-budget.budgets[1].limits[0]=2 tokens per 1h");

    @AfterAll
    void stop() {
        application.close();
    }

    @ParameterizedTest
    @CsvSource({"ask, 200", "fails, 200", "nowhere, 404"})
    void theTenantOfTheRequestIsChargedAlsoWhereItHasFailed(String path, int status) throws Exception {
        long billed = application.billed();
        assertThat(application.get("/" + path, "X-Tenant-Id", path).statusCode())
                .isEqualTo(status);
        assertThat(application.billed()).isGreaterThan(billed);
        application.awaitUsed("tenant:" + path, application.billed() - billed);
        assertThat(application.held()).isZero();
    }

    @Test
    void aRefusalIsAnswered429AlsoBehindOtherExceptions() throws Exception {
        for (String path : List.of("/ask", "/wrapped")) {
            HttpResponse<String> answer = application.get(path, "X-Tenant-Id", "poor");
            assertThat(answer.statusCode()).as(path).isEqualTo(429);
            assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
            assertThat(answer.headers().firstValue("ratelimit")).hasValue("\"tenant-tokens-1h\";r=2");
            assertThat(answer.body()).contains("\"code\":\"never-fits\"", "\"scope\":\"tenant:poor\"");
        }
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
}
