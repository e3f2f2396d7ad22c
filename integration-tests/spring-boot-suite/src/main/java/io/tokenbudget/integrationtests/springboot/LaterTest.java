package io.tokenbudget.integrationtests.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("Starter, C10: what Spring MVC and @Async do on other threads is charged to the request's caller")
public class LaterTest {
    private final Application application = Application.start(
            Later.class,
            "spring.main.web-application-type=servlet",
            "token-budget.identity.tenant[0]=header:X-Tenant-Id",
            "token-budget.budgets[0].scope=tenant",
            "token-budget.budgets[0].limits[0]=1M tokens per 1h",
            "token-budget.budgets[1].scope=tenant:poor",
            "token-budget.budgets[1].limits[0]=2 tokens per 1h");

    @AfterAll
    void stop() {
        application.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"callable", "elsewhere", "async", "deferred"})
    void theCallerIsTheRequests(String path) throws Exception {
        for (String tenant : new String[] {path + "-1", path + "-2"}) {
            long billed = application.billed();
            assertThat(application.get("/" + path, "X-Tenant-Id", tenant).statusCode())
                    .isEqualTo(200);
            application.awaitUsed("tenant:" + tenant, application.billed() - billed);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"callable", "async"})
    void theApplicationsOwnDecoratorRunsToo(String path) throws Exception {
        int before = Later.DECORATED.get();
        application.get("/" + path, "X-Tenant-Id", "decorated");
        assertThat(Later.DECORATED.get()).isEqualTo(before + 1);
    }

    @ParameterizedTest
    @CsvSource({
        "callable-fails, 200",
        "deferred-fails, 200",
        "deferred-too-late, 200",
        "container, 200",
        "error-page, 500",
        "nowhere, 404"
    })
    void soItIsWhenTheRequestIsDispatchedAgainOrComesToItsEndElsewhere(String path, int status) throws Exception {
        for (String tenant : new String[] {path + "-1", path + "-2"}) {
            long billed = application.billed();
            assertThat(application.get("/" + path, "X-Tenant-Id", tenant).statusCode())
                    .isEqualTo(status);
            assertThat(application.billed()).isGreaterThan(billed);
            application.awaitUsed("tenant:" + tenant, application.billed() - billed);
        }
    }

    @Test
    void aRefusalOnAPageForErrorsIsAnswered() throws Exception {
        assertThat(application.get("/nowhere", "X-Tenant-Id", "poor").statusCode())
                .isEqualTo(429);
    }
}
