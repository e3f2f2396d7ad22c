package io.tokenbudget.integrationtests.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import io.tokenbudget.BudgetContext;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudgets;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName(
        "Starter with LangChain4j: what is booked is what the provider billed, and an AI service's call is one run")
public class AssistantsTest {
    private final Application application = Application.start(
            Assistants.class,
            "spring.main.web-application-type=none",
            "spring.ai.model.chat=none",
            "spring.ai.model.embedding=none",
            "token-budget.budgets[0].scope=tenant",
            "token-budget.budgets[0].limits[0]=1M tokens per 1h",
            "token-budget.budgets[1].scope=tenant:poor",
            "token-budget.budgets[1].limits[0]=1 token per 1h",
            "token-budget.budgets[2].scope=agent:annotated",
            "token-budget.budgets[2].limits[0]=1M tokens per 1h",
            "token-budget.budgets[3].scope=run",
            "token-budget.budgets[3].limits[0]=3 requests");

    @AfterAll
    void stop() {
        application.close();
    }

    @Test
    @DisplayName("C2: each round of an AI service's tool loop")
    void anAiServiceIsMeteredRoundByRound() {
        assertBookedIsBilled("service", () -> assistant().answer("What time is it?"), 3);
    }

    @Test
    @DisplayName("C11: a second call is a second run, with a run's limits of its own")
    void eachCallIsARun() {
        for (int i = 0; i < 2; i++) {
            assertThat(as("runs", () -> assistant().answer("What time is it?"))).isNotEmpty();
        }
    }

    @Test
    void anAnnotationOnAnAiServiceIsSeen() {
        assertBookedIsBilled("annotated", () -> assistant().annotated("What time is it?"), 3);
        assertThat(application.used("agent:annotated")).isEqualTo(application.used("tenant:annotated"));
    }

    @Test
    void modelsAreMeteredByInterfaceAndByClass() {
        assertBookedIsBilled("by interface", () -> bean(ChatModel.class).chat("hello"), 1);
        assertBookedIsBilled("by class", () -> bean(OpenAiChatModel.class).chat("hello"), 1);
        assertBookedIsBilled(
                "embedding",
                () -> bean(EmbeddingModel.class).embed("a text").content().dimension() + "",
                1);
        assertBookedIsBilled("stream", () -> streamed(bean(StreamingChatModel.class)), 1);
    }

    @Test
    @DisplayName("R2: a call that does not fit never reaches the provider")
    void aCallThatDoesNotFitIsRefused() {
        int calls = application.provider().ledger().calls().size();
        assertThatThrownBy(() -> as("poor", () -> assistant().answer("hello")))
                .isInstanceOf(LimitExceededException.class);
        assertThat(application.provider().ledger().calls()).hasSize(calls);
    }

    private Assistants.Assistant assistant() {
        return bean(Assistants.Assistant.class);
    }

    private <T> T bean(Class<T> type) {
        return application.context().getBean(type);
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

    private static String streamed(StreamingChatModel model) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        model.chat("hello", new StreamingChatResponseHandler() {
            @Override
            public void onPartialResponse(String partialResponse) {}

            @Override
            public void onCompleteResponse(ChatResponse completeResponse) {
                answer.complete(completeResponse.aiMessage().text());
            }

            @Override
            public void onError(Throwable error) {
                answer.completeExceptionally(error);
            }
        });
        return answer.join();
    }
}
