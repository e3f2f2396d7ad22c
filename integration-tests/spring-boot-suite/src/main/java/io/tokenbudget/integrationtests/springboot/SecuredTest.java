package io.tokenbudget.integrationtests.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName(
        "Starter with Spring Security, Spring MVC and WebFlux: who is logged in, and the claims of tokens, say who calls")
public class SecuredTest {
    private final Application servlet = start("servlet");
    private final Application reactive = start("reactive");

    private static Application start(String type) {
        return Application.start(
                Secured.class,
                "spring.main.web-application-type=" + type,
                "spring.autoconfigure.exclude=",
                "spring.ai.openai.chat.options.stream-usage=true",
                "token-budget.identity.tenant[0]=claim:tenant",
                "token-budget.identity.tenant[1]=literal:nobody",
                "token-budget.identity.user=principal",
                "token-budget.budgets[0].scope=tenant",
                "token-budget.budgets[0].limits[0]=1M tokens per 1h",
                "token-budget.budgets[1].scope=user",
                "token-budget.budgets[1].limits[0]=1M tokens per 1h",
                "token-budget.budgets[2].scope=tenant:tenant-of-poor",
                "token-budget.budgets[2].limits[0]=2 tokens per 1h");
    }

    @AfterAll
    void stop() {
        servlet.close();
        reactive.close();
    }

    private Application application(String type) {
        return type.equals("servlet") ? servlet : reactive;
    }

    private static String basic() {
        return "Basic " + Base64.getEncoder().encodeToString("ann:secret".getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void theUserWhoIsLoggedInIsCharged(String type) throws Exception {
        Application application = application(type);
        long billed = application.billed();
        assertThat(application.get("/ask", "Authorization", basic()).statusCode())
                .isEqualTo(200);

        application.awaitUsed("user:ann", application.billed() - billed);
        application.awaitUsed("tenant:nobody", application.billed() - billed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void aClaimOfTheTokenIsCharged(String type) throws Exception {
        Application application = application(type);
        long billed = application.billed();
        assertThat(application.get("/ask", "Authorization", "Bearer bob").statusCode())
                .isEqualTo(200);

        application.awaitUsed("user:bob", application.billed() - billed);
        application.awaitUsed("tenant:tenant-of-bob", application.billed() - billed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void theOwnerOfATokenIsToldOfItsBudget(String type) throws Exception {
        HttpResponse<String> refused = application(type).get("/ask", "Authorization", "Bearer poor");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).contains("\"scope\":\"tenant:tenant-of-poor\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void whoeverIsNotLetInIsNotCharged(String type) throws Exception {
        Application application = application(type);
        long billed = application.billed();
        assertThat(application.get("/ask").statusCode()).isEqualTo(401);
        assertThat(application.billed()).isEqualTo(billed);
    }
}
