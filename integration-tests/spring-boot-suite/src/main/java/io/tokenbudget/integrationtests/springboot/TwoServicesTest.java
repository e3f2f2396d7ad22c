package io.tokenbudget.integrationtests.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetStatus;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName(
        "C7, C11 Starter: what a service does for another one's run is charged to that run, its tenant and its agent")
public class TwoServicesTest {
    private final Application asking = Application.start(
            Relay.class,
            "token-budget.identity.tenant=header:X-Tenant-Id",
            "token-budget.http.send-context-to=localhost");
    /** All until the end: the last one that is closed takes what Reactor's clients share with it. */
    private final List<Application> started = new ArrayList<>(List.of(asking));

    private Application answering = asking;

    private void answersAs(String type, String believed, String strategy) {
        answering = Application.start(
                Front.class,
                "spring.main.web-application-type=" + type,
                "server.forward-headers-strategy=" + strategy,
                "spring.ai.openai.chat.options.stream-usage=true",
                "token-budget.identity.tenant=literal:own",
                "token-budget.http.believe-context-from=" + believed,
                "token-budget.budgets[0].scope=tenant",
                "token-budget.budgets[0].limits[0]=1M tokens per 1h",
                "token-budget.budgets[1].scope=agent",
                "token-budget.budgets[1].limits[0]=1M tokens per 1h",
                "token-budget.budgets[2].scope=run",
                "token-budget.budgets[2].limits[0]=1M tokens",
                "token-budget.budgets[3].scope=tenant:poor",
                "token-budget.budgets[3].limits[0]=2 tokens per 1h");
        started.add(answering);
    }

    private void answersAs(String type, String believed) {
        answersAs(type, believed, "none");
    }

    @AfterAll
    void stop() {
        started.forEach(Application::close);
    }

    private HttpResponse<String> relay(String path, String host, String answer) throws Exception {
        String url = answering.uri(answer).toString().replace("127.0.0.1", host);
        return asking.get(path + "url=" + URLEncoder.encode(url, StandardCharsets.UTF_8), "X-Tenant-Id", "acme");
    }

    private List<BudgetStatus> runs() {
        return answering.status().stream()
                .filter(status -> status.scope().startsWith("run:") && status.used() > 0)
                .toList();
    }

    private void chargedToTheirOwner() {
        answering.awaitUsed("tenant:acme", answering.billed());
        assertThat(answering.billed()).isPositive();
        assertThat(answering.used("agent:planner")).isEqualTo(answering.billed());
        assertThat(answering.used("tenant:own")).isZero();
        assertThat(runs()).singleElement().extracting(BudgetStatus::used).isEqualTo(answering.billed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"RestClient", "RestTemplate", "WebClient", "LangChain4j"})
    void eachClientSaysForWhomItAsks(String by) throws Exception {
        answersAs("servlet", "127.0.0.1");
        assertThat(relay("/relay?by=" + by + '&', "localhost", "/blocking").statusCode())
                .isEqualTo(200);
        chargedToTheirOwner();
    }

    @Test
    void whatReactorCarriesIsSaidAndBelieved() throws Exception {
        answersAs("reactive", "127.0.0.1");
        assertThat(relay("/relay-later?", "localhost", "/ask").statusCode()).isEqualTo(200);
        chargedToTheirOwner();
    }

    @ParameterizedTest
    @CsvSource({"servlet, 10.0.0.0/8, localhost", "reactive, 10.0.0.0/8, localhost", "servlet, 127.0.0.1, 127.0.0.1"})
    void whoIsNotBelievedOrNotToldIsChargedAsEverybody(String type, String believed, String host) throws Exception {
        answersAs(type, believed);
        assertThat(relay("/relay?by=RestClient&", host, "/ask").statusCode()).isEqualTo(200);

        answering.awaitUsed("tenant:own", answering.billed());
        assertThat(answering.used("tenant:acme")).isZero();
        assertThat(answering.used("agent:planner")).isZero();
        assertThat(runs())
                .as("of two, which leave memory when nobody knows them any more")
                .allSatisfy(run -> assertThat(run.used()).isLessThan(answering.billed()));
    }

    @ParameterizedTest
    @CsvSource({
        "servlet, X-Forwarded-For, none",
        "servlet, X-Forwarded-For, framework",
        "servlet, Forwarded, framework",
        "reactive, X-Forwarded-For, none",
        "reactive, X-Forwarded-For, framework",
        "reactive, X-Forwarded-For, native",
        "reactive, Forwarded, framework"
    })
    void whatCameThroughSomebodyWhoIsNotBelievedIsNot(String type, String field, String strategy) throws Exception {
        answersAs(type, "127.0.0.1", strategy);
        String outside = field.equals("Forwarded") ? "for=203.0.113.9" : "203.0.113.9";
        assertThat(answering
                        .get("/ask", "Token-Budget-Context", "tenant=acme", field, outside)
                        .statusCode())
                .isEqualTo(200);
        answering.awaitUsed("tenant:own", answering.billed());
    }

    /** Tomcat takes what a proxy of its own network says for the address, and removes the field. */
    @ParameterizedTest
    @ValueSource(strings = {"10.20.0.1", "127.0.0.1"})
    void whomAProxyNamesIsNotBelievedWhereTheServerTakesItsWord(String named) throws Exception {
        answersAs("servlet", named, "native");
        assertThat(answering
                        .get("/ask", "Token-Budget-Context", "tenant=acme", "X-Forwarded-For", named)
                        .statusCode())
                .isEqualTo(200);
        answering.awaitUsed("tenant:own", answering.billed());
        assertThat(answering.used("tenant:acme")).isZero();
    }

    @Test
    void whatIsHeldForItIsInTheDiagnosticContextWhileItIsServed() throws Exception {
        answersAs("servlet", "127.0.0.1");
        assertThat(answering
                        .get("/parent", "Token-Budget-Context", "reservation=r-1")
                        .body())
                .isEqualTo("r-1");
        for (int i = 0; i < 20; i++) {
            assertThat(answering.get("/parent").body()).isEqualTo("null");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void whatCannotBeReadBreaksNothing(String type) throws Exception {
        answersAs(type, "127.0.0.1");
        assertThat(answering
                        .get("/ask", "Token-Budget-Context", "tenant=acme,run=%zz", "Token-Budget-Context", ",,")
                        .statusCode())
                .isEqualTo(200);
        answering.awaitUsed("tenant:own", answering.billed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void whoIsBelievedIsToldOfTheBudgetThatRefuses(String type) throws Exception {
        answersAs(type, "127.0.0.1");
        HttpResponse<String> refused = answering.get("/ask", "Token-Budget-Context", "tenant=poor");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).contains("\"scope\":\"tenant:poor\"");
    }
}
