package io.tokenbudget.integrationtests.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.testkit.matrix.ModelSpec;
import io.tokenbudget.testkit.matrix.Provider;
import io.tokenbudget.testkit.matrix.Way;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;

/**
 * C7: what asks again until an answer fits its schema. Since 1.1 that is an advisor; an application on 1.0, which has none that
 * may ask twice, has a loop of its own.
 */
@Tag("accounting-matrix")
@Tag("validation")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ValidationMatrix {
    private static final String ADVISOR =
            "org.springframework.ai.chat.client.advisor.StructuredOutputValidationAdvisor";
    private static final String QUESTION = "What will the weather be like on Sunday?";
    private static final int REPEATS = 2;

    private final ProviderStub stub = ProviderStub.start(0);

    /** What the answer should be and never is. */
    public record Forecast(String city, int degrees) {}

    abstract Way way();

    abstract ChatModel metered(ChatModel model);

    @AfterAll
    void stopProvider() {
        stub.close();
    }

    private void ask(String model) throws ReflectiveOperationException {
        ToolCallingManager tools = ToolCallingManager.builder().build();
        ModelSpec spec = new ModelSpec(Provider.OPENAI, stub.baseUrl(), model, model, 100, 0, Duration.ofSeconds(20));
        ChatClient client = ChatClient.create(metered(Generation.present().model(spec, tools)));
        Advisor advisor = validation();
        if (advisor == null) {
            assertThat(Line.present()).isEqualTo(Line.V1_0);
            String question = QUESTION;
            for (int time = 0; time <= REPEATS; time++) {
                String answer = client.prompt().user(question).call().content();
                question += "\nYou said: " + answer + ". That is no forecast. " + QUESTION.repeat(5);
            }
        } else {
            client.prompt().user(QUESTION).advisors(advisor).call().content();
        }
    }

    private static @Nullable Advisor validation() throws ReflectiveOperationException {
        Class<?> type;
        try {
            type = Class.forName(ADVISOR);
        } catch (ClassNotFoundException before) {
            return null;
        }
        Object builder = type.getMethod("builder").invoke(null);
        Type answer = Forecast.class;
        for (Method method : builder.getClass().getMethods()) {
            if (method.getName().equals("outputType") && method.getParameterTypes()[0].isInstance(answer)) {
                method.invoke(builder, answer);
            }
        }
        builder.getClass().getMethod("maxRepeatAttempts", int.class).invoke(builder, REPEATS);
        return (Advisor) builder.getClass().getMethod("build").invoke(builder);
    }

    @Test
    @DisplayName("C7: every repeat is a call, and is charged")
    void everyRepeatIsACallAndIsCharged() throws Exception {
        BudgetsSnapshot before = way().budgets();

        ask("validated");

        assertThat(stub.ledger().calls("validated")).hasSize(1 + REPEATS);
        assertThat(way().budgets().used("model:validated", "tokens"))
                .isEqualTo(stub.ledger().billed("validated").totalTokens());
        assertThat(way().budgets().calls().metered() - before.calls().metered()).isEqualTo(1 + REPEATS);
        assertThat(way().budgets().held()).isZero();
        assertThat(way().notices()).isEmpty();
    }

    @Test
    @DisplayName("C7: a refusal is not repeated")
    void aRefusalIsNotRepeated() {
        long before = way().budgets().reservations().refused();

        assertThatThrownBy(() -> ask("cut-short-validated"))
                .satisfies(
                        thrown -> assertThat(thrown.getClass().getSimpleName()).isEqualTo("LimitExceededException"));

        assertThat(stub.ledger().calls("cut-short-validated")).hasSizeBetween(1, REPEATS);
        assertThat(way().budgets().reservations().refused() - before).isOne();
        assertThat(way().budgets().used("model:cut-short-validated", "tokens"))
                .isEqualTo(stub.ledger().billed("cut-short-validated").totalTokens());
        assertThat(way().budgets().held()).isZero();
    }
}
