package io.tokenbudget.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.runtime.server.EmbeddedServer;
import io.tokenbudget.BudgetContext;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.examples.providerstub.ProviderStub;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Micronaut's management: all budgets, one scope, and health, as the Spring Boot starter answers them")
class ManagementTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ProviderStub stub = ProviderStub.start(0);
    private final HttpClient client = HttpClient.newHttpClient();
    private EmbeddedServer server = start(Map.of());

    private EmbeddedServer start(Map<String, Object> more) {
        Map<String, Object> properties = new HashMap<>(Map.of(
                "management-test",
                stub.baseUrl() + "/v1",
                "micronaut.server.port",
                -1,
                "micronaut.security.enabled",
                false,
                "endpoints.tokenbudgets.sensitive",
                false,
                "endpoints.health.details-visible",
                "ANONYMOUS",
                "token-budget.budgets",
                List.of(
                        Map.of("scope", "tenant", "limits", List.of("1M tokens per 1h")),
                        Map.of("scope", "tenant/agent", "limits", List.of("1M tokens per 1h")))));
        properties.putAll(more);
        return ApplicationContext.run(EmbeddedServer.class, properties);
    }

    @AfterEach
    void stop() {
        server.close();
        stub.close();
    }

    @Factory
    @Requires(property = "management-test")
    static class Models {
        @Singleton
        @Named("by-class")
        OpenAiChatModel byClass(@Value("${management-test}") String url) {
            return OpenAiChatModel.builder()
                    .baseUrl(url)
                    .apiKey("test")
                    .modelName("m")
                    .maxRetries(0)
                    .build();
        }

        @Singleton
        @Named("metered")
        ChatModel metered(@Named("by-class") OpenAiChatModel model) {
            return model;
        }

        @Singleton
        @Requires(property = "asking")
        Asking asking() {
            throw new UnsupportedOperationException("named before it is made");
        }
    }

    interface Asking extends ChatModel {
        String ask(String question);
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(server.getURI() + path)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode read(String path) throws Exception {
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    private void ask(String tenant, String agent) {
        BudgetContext caller =
                BudgetContext.builder().tenant(tenant).agent(agent).build();
        try (TokenBudgets.Scope open = TokenBudgets.open(caller)) {
            assertThat(open).isNotNull();
            String unused = server.getApplicationContext()
                    .getBean(ChatModel.class, Qualifiers.byName("metered"))
                    .chat("Hello");
        }
    }

    @Test
    void aModelKnownByItsClassIsNamed() throws Exception {
        assertThat(read("/tokenbudgets").get("unmeteredModels").toString())
                .isEqualTo("{\"by-class\":\"" + OpenAiChatModel.class.getName() + "\"}");
    }

    @Test
    void aMethodOfAModelsOwnIsNamed() throws Exception {
        assertThat(read("/tokenbudgets").has("unmeteredMethods")).isFalse();
        server.close();
        server = start(Map.of("asking", "on"));
        String named = "[\"" + Asking.class.getName() + ".ask\"]";
        assertThat(read("/tokenbudgets").get("unmeteredMethods").toString()).isEqualTo(named);
        JsonNode health = read("/health").get("details").get("tokenBudget").get("details");
        assertThat(health.get("unmeteredMethods").toString()).isEqualTo(named);
    }

    @Test
    void oneScopeIsReadAlone() throws Exception {
        ask("acme", "planner");
        ask("globex", "planner");
        assertThat(read("/tokenbudgets/tenant:acme").get("budgets")).hasSize(1);
        for (String path :
                List.of("/tokenbudgets/tenant:acme/agent:planner", "/tokenbudgets/tenant:acme%2Fagent:planner")) {
            JsonNode budgets = read(path).get("budgets");
            assertThat(budgets).hasSize(1);
            assertThat(budgets.get(0).get("scope").asText()).isEqualTo("tenant:acme/agent:planner");
        }
        assertThat(get("/tokenbudgets/tenant:nobody").statusCode()).isEqualTo(404);
        assertThat(get("/tokenbudgets/tenant:acme/agent:nobody").statusCode()).isEqualTo(404);
    }

    @Test
    void itIsForOperatorsUnlessTheApplicationSaysOtherwise() throws Exception {
        server.close();
        server = start(Map.of("endpoints.tokenbudgets.sensitive", true, "micronaut.security.enabled", true));
        assertThat(get("/tokenbudgets").statusCode()).isEqualTo(401);
        assertThat(get("/tokenbudgets/tenant:acme").statusCode()).isEqualTo(401);
    }

    @Test
    void healthSaysWhatIsInForce() throws Exception {
        JsonNode health = read("/health").get("details").get("tokenBudget");
        assertThat(health.get("status").asText()).isEqualTo("UP");
        assertThat(health.get("details").toString())
                .isEqualTo("{\"mode\":\"enforce\",\"budgetRows\":2,\"unmeteredModels\":{\"by-class\":\""
                        + OpenAiChatModel.class.getName() + "\"}}");
    }

    @Test
    @DisplayName("C9: a broken configuration is told by health, and makes nobody unhealthy")
    void aBrokenConfigurationMakesNobodyUnhealthy() throws Exception {
        server.close();
        server = start(Map.of("token-budget.hold", "soon"));
        JsonNode all = read("/health");
        JsonNode health = all.get("details").get("tokenBudget");
        assertThat(health.get("status").asText()).isEqualTo("UNKNOWN");
        assertThat(health.get("details").get("mode").asText()).isEqualTo("observe");
        assertThat(health.get("details").get("problems").get(0).asText())
                .contains("hold")
                .contains("soon");
    }

    @Test
    void healthCanBeSwitchedOff() throws Exception {
        server.close();
        server = start(Map.of("endpoints.health.token-budget.enabled", false));
        assertThat(read("/health").get("details").has("tokenBudget")).isFalse();
    }
}
