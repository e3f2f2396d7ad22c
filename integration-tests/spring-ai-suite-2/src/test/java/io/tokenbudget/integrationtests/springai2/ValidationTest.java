package io.tokenbudget.integrationtests.springai2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.integrationtests.springai.Generation;
import io.tokenbudget.springai.MeteredChatModel;
import io.tokenbudget.testkit.inprocess.InProcess;
import io.tokenbudget.testkit.matrix.ModelSpec;
import io.tokenbudget.testkit.matrix.Provider;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.StructuredOutputValidationAdvisor;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;

@DisplayName("C7: the advisor that asks again until an answer fits its schema")
class ValidationTest {
    private static final int REPEATS = 2;

    private final ProviderStub stub = ProviderStub.start(0);
    private final InProcess inProcess = new InProcess();

    /** What the answer should be and never is. */
    public record Forecast(String city, int degrees) {}

    @AfterEach
    void stopProvider() {
        stub.close();
    }

    private String ask(String model) {
        ToolCallingManager tools = ToolCallingManager.builder().build();
        ModelSpec spec = new ModelSpec(Provider.OPENAI, stub.baseUrl(), model, model, 100, 0, Duration.ofSeconds(20));
        ChatModel metered = MeteredChatModel.wrap(Generation.present().model(spec, tools), inProcess.meter());
        StructuredOutputValidationAdvisor validation = StructuredOutputValidationAdvisor.builder()
                .outputType(Forecast.class)
                .maxRepeatAttempts(REPEATS)
                .build();
        return String.valueOf(ChatClient.create(metered)
                .prompt()
                .user("What will the weather be like on Sunday?")
                .advisors(validation)
                .call()
                .content());
    }

    @Test
    void everyRepeatIsACallAndIsCharged() {
        ask("validated");

        assertThat(stub.ledger().calls("validated")).hasSize(1 + REPEATS);
        assertThat(inProcess.budgets().used("model:validated", "tokens"))
                .isEqualTo(stub.ledger().billed("validated").totalTokens());
        assertThat(inProcess.budgets().calls().metered()).isEqualTo(1 + REPEATS);
        assertThat(inProcess.budgets().held()).isZero();
        assertThat(inProcess.notices()).isEmpty();
    }

    @Test
    void aRefusalIsNotRepeated() {
        assertThatThrownBy(() -> ask("cut-short-validated")).isInstanceOf(LimitExceededException.class);

        assertThat(stub.ledger().calls("cut-short-validated")).hasSizeBetween(1, REPEATS);
        assertThat(inProcess.budgets().reservations().refused()).isOne();
        assertThat(inProcess.budgets().used("model:cut-short-validated", "tokens"))
                .isEqualTo(stub.ledger().billed("cut-short-validated").totalTokens());
        assertThat(inProcess.budgets().held()).isZero();
    }
}
