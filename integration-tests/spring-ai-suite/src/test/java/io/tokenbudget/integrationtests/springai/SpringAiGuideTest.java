package io.tokenbudget.integrationtests.springai;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.ObservationRegistry;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.testkit.GuidePage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.example.MyApp;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.ai.document.MetadataMode;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.openai.OpenAiEmbeddingModel;
import org.springframework.ai.openai.OpenAiEmbeddingOptions;
import org.springframework.ai.openai.api.OpenAiApi;

@Tag("guide")
@DisplayName("docs/spring-ai.md: the code on the page is the code that runs here")
class SpringAiGuideTest {
    private static final String BUDGETS = """
            budgets:
              - scope: tenant
                limits: ["1M tokens per 1h"]
            """;

    @Test
    void theCodeOnThePageIsTheCodeThatRunsHere() throws Exception {
        assertThat(GuidePage.missing(
                        Path.of("../../docs/spring-ai.md"), Path.of("src/test/java/org/example/MyApp.java")))
                .isEmpty();
    }

    @Test
    void whatItBooksIsWhatTheProviderBills() {
        DefaultTokenLimiter limiter = TokenLimiters.builder().yaml(BUDGETS).build();
        try (ProviderStub stub = ProviderStub.start(0)) {
            OpenAiApi api =
                    OpenAiApi.builder().baseUrl(stub.baseUrl()).apiKey("key").build();
            OpenAiEmbeddingModel embeds = new OpenAiEmbeddingModel(
                    api,
                    MetadataMode.EMBED,
                    OpenAiEmbeddingOptions.builder().model("small").build());
            OpenAiChatOptions options = OpenAiChatOptions.builder()
                    .model("gpt-4o-mini")
                    .streamUsage(true)
                    .build();
            MyApp app = new MyApp(limiter, ObservationRegistry.create(), api, options, embeds);

            assertThat(app.answer("What is the weather?").collectList().block(Duration.ofSeconds(20)))
                    .isNotEmpty();
            assertThat(used(limiter, "tenant:acme"))
                    .isEqualTo(stub.ledger().billed("key").totalTokens())
                    .isPositive();

            assertThat(app.inOneRun("What is the weather?")).isNotEmpty();
            assertThat(app.vector("a text")).isNotEmpty();
            assertThat(limiter.status().stream().mapToLong(BudgetStatus::used).sum())
                    .isEqualTo(stub.ledger().billed("key").totalTokens());
        }
    }

    private static long used(DefaultTokenLimiter limiter, String scope) {
        List<BudgetStatus> budgets = limiter.status();
        return budgets.stream()
                .filter(budget -> budget.scope().equals(scope))
                .mapToLong(BudgetStatus::used)
                .sum();
    }
}
