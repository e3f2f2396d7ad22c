package io.tokenbudget.integrationtests.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.testkit.matrix.ModelSpec;
import io.tokenbudget.testkit.matrix.Provider;
import io.tokenbudget.testkit.matrix.UnderAgent;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("accounting-matrix")
@Tag("callers")
@DisplayName("C10 who is calling, as the memory id of a LangChain4j service's call says it, under the agent")
class ServiceCallersAgentTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final UnderAgent way = new UnderAgent();
    private final ProviderStub stub = ProviderStub.start(0);

    interface Assistant {
        String answer(@MemoryId int customer, @UserMessage String question);
    }

    interface Teller {
        TokenStream answer(@MemoryId String customer, @UserMessage String question);
    }

    @AfterEach
    void stop() {
        stub.close();
    }

    private ModelSpec spec(String customer) {
        return new ModelSpec(Provider.OPENAI, stub.baseUrl(), customer, customer + "/ok", null, 0, PATIENCE);
    }

    private void assertChargedTo(String customer) {
        assertThat(way.budgets().used("project:" + customer, "tokens"))
                .isEqualTo(stub.ledger().billed(customer).totalTokens())
                .isPositive();
    }

    @Test
    void ofABlockingService() {
        Assistant assistant = AiServices.builder(Assistant.class)
                .chatModel(Models.blocking(spec("4711")).build(ChatModel.class))
                .chatMemoryProvider(id -> MessageWindowChatMemory.withMaxMessages(10))
                .build();

        assertThat(assistant.answer(4711, "Who pays?")).isNotBlank();
        assertThat(assistant.answer(4711, "Who pays now?")).isNotBlank();
        assertChargedTo("4711");
    }

    @Test
    void ofAStreamThatIsStartedOnAnotherThread() throws Exception {
        Teller teller = AiServices.builder(Teller.class)
                .streamingChatModel(Models.streaming(spec("ann")).build(StreamingChatModel.class))
                .chatMemoryProvider(id -> MessageWindowChatMemory.withMaxMessages(10))
                .build();
        CompletableFuture<String> answer = new CompletableFuture<>();
        TokenStream stream = teller.answer("ann", "Who pays?")
                .onPartialResponse(piece -> {})
                .onCompleteResponse(
                        response -> answer.complete(response.aiMessage().text()))
                .onError(answer::completeExceptionally);

        Thread starting = new Thread(stream::start);
        starting.start();

        assertThat(answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isNotBlank();
        starting.join();
        assertChargedTo("ann");
    }
}
