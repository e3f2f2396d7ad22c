package io.tokenbudget.integrationtests.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName(
        "Starter, Spring MVC and WebFlux: an answer says what is left of its caller's own budgets, if that is switched on")
public class RemainingTest {
    private final Application servlet = start("servlet");
    private final Application reactive = start("reactive");

    private static Application start(String type) {
        return Application.start(
                Front.class,
                "spring.main.web-application-type=" + type,
                "token-budget.http.remaining=true",
                "token-budget.identity.tenant[0]=header:X-Tenant-Id",
                "token-budget.identity.tenant[1]=literal:everybody",
                "token-budget.budgets[0].scope=tenant",
                "token-budget.budgets[0].limits[0]=5 requests per 1h",
                "token-budget.budgets[1].scope=global",
                "token-budget.budgets[1].limits[0]=999 requests per 1h");
    }

    @AfterAll
    void stop() {
        servlet.close();
        reactive.close();
    }

    private HttpResponse<String> get(String type, String path, String... fields) throws Exception {
        return (type.equals("servlet") ? servlet : reactive).get(path, fields);
    }

    @ParameterizedTest
    @CsvSource({"servlet, /ask", "servlet, /blocking", "reactive, /ask"})
    void itCountsTheCallsOfThisVeryRequest(String type, String path) throws Exception {
        for (int left = 4; left >= 3; left--) {
            HttpResponse<String> answer = get(type, path, "X-Tenant-Id", "acme" + path.replace('/', '-'));
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().allValues("ratelimit"))
                    .singleElement()
                    .asString()
                    .matches("\"tenant-requests-1h\";r=" + left + "(;t=3[5-6]\\d\\d)?");
            assertThat(answer.headers().allValues("ratelimit-policy"))
                    .containsExactly("\"tenant-requests-1h\";q=5;w=3600");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void whatOthersShareIsNotSaid(String type) throws Exception {
        assertThat(get(type, "/ask").headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy");
        HttpResponse<String> ofPlatform = get(type, "/for-others", "X-Tenant-Id", "alone");
        assertThat(ofPlatform.headers().firstValue("ratelimit")).hasValue("\"tenant-requests-1h\";r=5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void nothingIsSaidInWhatCachesKeepForOthers(String type) throws Exception {
        HttpResponse<String> answer = get(type, "/cached", "X-Tenant-Id", "cached");
        assertThat(answer.headers().firstValue("cache-control")).hasValue("public, max-age=60");
        assertThat(answer.headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy");
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void streamsAreLeftAlone(String type) throws Exception {
        HttpResponse<String> answer = get(type, "/late", "X-Tenant-Id", "streaming");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy");
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void whatIsReadForAnAnswerMakesNoBudget(String type) throws Exception {
        assertThat(get(type, "/nothing-here", "X-Tenant-Id", "guessed").statusCode())
                .isEqualTo(404);
        assertThat(get(type, "/idle", "X-Tenant-Id", "guessed").headers().firstValue("ratelimit"))
                .hasValue("\"tenant-requests-1h\";r=5");
        assertThat((type.equals("servlet") ? servlet : reactive).status())
                .noneMatch(status -> status.scope().equals("tenant:guessed"));
    }
}
