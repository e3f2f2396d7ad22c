package org.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.TokenUsage;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.testkit.GuidePage;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("docs/aspectj.md")
class WovenAppTest {
    private static final class SeventyTokens implements ChatModel {
        @Override
        public ChatResponse doChat(ChatRequest request) {
            return ChatResponse.builder()
                    .aiMessage(AiMessage.from("a plan"))
                    .tokenUsage(new TokenUsage(30, 40))
                    .build();
        }
    }

    @Test
    void theCodeOnThePageIsTheCodeThatRunsHere() throws Exception {
        assertThat(GuidePage.missing(
                        Path.of("../../docs/aspectj.md"), Path.of("src/test/java/org/example/WovenApp.java")))
                .isEmpty();
    }

    @Test
    void itsCallsAreBookedOnWhomTheAnnotationNames() {
        WovenApp app = new WovenApp(new SeventyTokens(), """
                budgets:
                  - {scope: agent, limits: ["1M tokens per 1h"]}
                  - {scope: tenant, limits: ["1M tokens per 1h"]}
                """);

        assertThat(app.plan("acme", "tea")).isEqualTo("a plan");

        Map<String, Long> used = TokenBudgets.limiter().status().stream()
                .filter(status -> status.used() > 0)
                .collect(Collectors.toMap(status -> status.scope().replaceAll("^run:.*", "run"), BudgetStatus::used));
        assertThat(used)
                .containsOnly(Map.entry("agent:planner", 70L), Map.entry("tenant:acme", 70L), Map.entry("run", 70L));
    }
}
