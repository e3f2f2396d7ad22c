package io.tokenbudget.integrationtests.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.embedding.EmbeddingModel;
import io.tokenbudget.BudgetContext;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.integrationtests.springboot.services.Services;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName(
        "Starter beside LangChain4j's own: what is booked is what the provider billed, and a call of an @AiService is one run")
public class ServicesTest {
    private final Application application = Application.startAt(
            provider -> new String[] {
                "spring.main.web-application-type=none",
                "spring.ai.model.chat=none",
                "spring.ai.model.embedding=none",
                "langchain4j.open-ai.chat-model.base-url=" + provider + "/v1",
                "langchain4j.open-ai.chat-model.api-key=key",
                "langchain4j.open-ai.chat-model.model-name=gpt-4o-mini@tools-2",
                "langchain4j.open-ai.streaming-chat-model.base-url=" + provider + "/v1",
                "langchain4j.open-ai.streaming-chat-model.api-key=key",
                "langchain4j.open-ai.streaming-chat-model.model-name=gpt-4o-mini",
                "langchain4j.open-ai.embedding-model.base-url=" + provider + "/v1",
                "langchain4j.open-ai.embedding-model.api-key=key",
                "langchain4j.open-ai.embedding-model.model-name=small",
                "token-budget.budgets[0].scope=tenant",
                "token-budget.budgets[0].limits[0]=1M tokens per 1h",
                "token-budget.budgets[1].scope=tenant:poor",
                "token-budget.budgets[1].limits[0]=1 token per 1h",
                "token-budget.budgets[2].scope=agent:annotated",
                "token-budget.budgets[2].limits[0]=1M tokens per 1h",
                "token-budget.budgets[3].scope=run",
                "token-budget.budgets[3].limits[0]=3 requests"
            },
            Services.class);

    @AfterAll
    void stop() {
        application.close();
    }

    @Test
    void modelsAreMetered() {
        assertBookedIsBilled(
                "chat", () -> application.context().getBean(ChatModel.class).chat("hello"), 1);
        assertBookedIsBilled(
                "embedding",
                () -> application
                                .context()
                                .getBean(EmbeddingModel.class)
                                .embed("a text")
                                .content()
                                .dimension() + "",
                1);
    }

    @Test
    @DisplayName("C2, C11: a call of an AI service is one run, and each round of it is metered")
    void aCallOfAnAiServiceIsOneRun() {
        for (int call = 1; call <= 2; call++) {
            assertBookedIsBilled("service-" + call, () -> clerk().answer("What time is it?"), 3);
        }
    }

    @Test
    void aStreamOfAnAiServiceIsMetered() {
        Services.Reader reader = application.context().getBean(Services.Reader.class);
        assertBookedIsBilled(
                "stream", () -> String.join("", reader.read("hello").toIterable()), 1);
    }

    @Test
    void anAnnotationOnAnAiServiceIsSeen() {
        assertBookedIsBilled("annotated", () -> clerk().annotated("What time is it?"), 3);
        assertThat(application.used("agent:annotated")).isEqualTo(application.used("tenant:annotated"));
    }

    @Test
    @DisplayName("R2: a call that does not fit never reaches the provider")
    void aCallThatDoesNotFitIsRefused() {
        int calls = application.provider().ledger().calls().size();
        assertThatThrownBy(() -> as("poor", () -> clerk().answer("hello"))).isInstanceOf(LimitExceededException.class);
        assertThat(application.provider().ledger().calls()).hasSize(calls);
    }

    private Services.Clerk clerk() {
        return application.context().getBean(Services.Clerk.class);
    }

    private void assertBookedIsBilled(String tenant, Supplier<String> call, int rounds) {
        long billed = application.billed();
        int calls = application.provider().ledger().calls().size();
        assertThat(as(tenant, call)).isNotEmpty();
        assertThat(application.provider().ledger().calls()).hasSize(calls + rounds);
        application.awaitUsed("tenant:" + tenant, application.billed() - billed);
        assertThat(application.held()).isZero();
    }

    private static String as(String tenant, Supplier<String> call) {
        try (TokenBudgets.Scope open =
                TokenBudgets.open(BudgetContext.builder().tenant(tenant).build())) {
            assertThat(open).isNotNull();
            return call.get();
        }
    }
}
