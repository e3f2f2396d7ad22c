package io.tokenbudget.integrationtests.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("Starter, Spring MVC and WebFlux: a refusal tells of a budget only to whom identity knows as its owner")
public class WhoAsksTest {
    private final Application servlet = start("servlet");
    private final Application reactive = start("reactive");

    private static Application start(String type) {
        return Application.start(
                Front.class,
                "spring.main.web-application-type=" + type,
                "token-budget.identity.tenant[0]=header:X-Tenant-Id",
                "token-budget.identity.tenant[1]=mdc:tenant",
                "token-budget.identity.tenant[2]=literal:everybody",
                "token-budget.identity.user=header:X-User",
                "token-budget.budgets[0].scope=tenant",
                "token-budget.budgets[0].limits[0]=1M tokens per 1h",
                "token-budget.budgets[1].scope=tenant:everybody",
                "token-budget.budgets[1].limits[0]=11 tokens per 1h",
                "token-budget.budgets[2].scope=tenant:platform",
                "token-budget.budgets[2].limits[0]=12 tokens per 1h",
                "token-budget.budgets[3].scope=tenant/user",
                "token-budget.budgets[3].limits[0]=14 tokens per 1h");
    }

    @AfterAll
    void stop() {
        servlet.close();
        reactive.close();
    }

    private HttpResponse<String> get(String type, String path, String... fields) throws Exception {
        return (type.equals("servlet") ? servlet : reactive).get(path, fields);
    }

    private static void tellsNothing(HttpResponse<String> answer, int status) {
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy");
        assertThat(answer.body())
                .contains("\"code\":\"never-fits\"")
                .doesNotContain("platform", "everybody", "acme", "run:", "11", "12", "13", "14")
                .doesNotContain("\"scope\"", "\"limit\"", "violated-policies");
    }

    private static void tells(HttpResponse<String> answer, String scope) {
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().map()).containsKeys("ratelimit", "ratelimit-policy");
        assertThat(answer.body()).contains("\"scope\":\"" + scope + "\"", "violated-policies");
    }

    @ParameterizedTest
    @CsvSource({
        "servlet, /for-others, 429",
        "reactive, /for-others, 429",
        "servlet, /late-for-others, 200",
        "reactive, /late-for-others, 200"
    })
    void ofAnotherTenantsBudgetItTellsNothing(String type, String path, int status) throws Exception {
        tellsNothing(get(type, path, "X-Tenant-Id", "acme"), status);
    }

    @ParameterizedTest
    @CsvSource({"servlet, /ask, 429", "reactive, /ask, 429", "servlet, /late, 200", "reactive, /late, 200"})
    void ofABudgetThatALiteralNamesItTellsNothing(String type, String path, int status) throws Exception {
        tellsNothing(get(type, path), status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void ofTheCeilingOfARunThatTheCallerHasNotNamedItTellsNothing(String type) throws Exception {
        tellsNothing(get(type, "/bounded", "X-Tenant-Id", "acme"), 429);
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void ofItsOwnBudgetACallerIsToldEverything(String type) throws Exception {
        tells(get(type, "/for-others", "X-Tenant-Id", "platform"), "tenant:platform");
        tells(get(type, "/ask", "X-Tenant-Id", "acme", "X-User", "ann"), "tenant:acme/user:ann");
    }

    @Test
    void whomTheApplicationsFilterHasNamedAsks() throws Exception {
        tells(get("servlet", "/blocking?mdc=platform"), "tenant:platform");
    }

    @Test
    void whomAControllerHasNamedDoesNotAsk() throws Exception {
        tellsNothing(get("servlet", "/careless?mdc=acme"), 429);
    }
}
