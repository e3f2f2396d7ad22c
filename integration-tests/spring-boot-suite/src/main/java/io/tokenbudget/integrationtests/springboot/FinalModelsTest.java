package io.tokenbudget.integrationtests.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.integrationtests.springboot.FinalModels.Listener;
import io.tokenbudget.integrationtests.springboot.FinalModels.Misbehaving;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.openai.OpenAiChatModel;
import reactor.core.publisher.Flux;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("Starter: what models around Spring AI's cost is exact, whatever listens to them")
public class FinalModelsTest {
    private final Application application = Application.start(
            FinalModels.class,
            "management.endpoints.web.exposure.include=tokenbudgets",
            "spring.ai.openai.chat.options.stream-usage=true",
            "token-budget.budgets[0].scope=tenant",
            "token-budget.budgets[0].limits[0]=1M tokens per 1h");

    private final Listener listener = application.context().getBean(Listener.class);

    @BeforeEach
    void behave() {
        listener.misbehaving = Misbehaving.NO;
        listener.told.clear();
    }

    @AfterAll
    void stop() {
        application.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"voting", "elsewhere", "fromFactory", "byInterface"})
    @DisplayName("C1, C2: each call that a model makes of another is charged, the model itself is not")
    void eachCallInsideIsCharged(String name) {
        assertBookedIsBilled(name, () -> text(model(name)));
        assertBookedIsBilled(name + " stream", () -> streamed(model(name)));
    }

    @Test
    @DisplayName("C1: what is public of 1.1's models beside their interface is charged once")
    void internalCallsAreChargedOnce() {
        OpenAiChatModel model = application.context().getBean(OpenAiChatModel.class);
        Prompt prompt = new Prompt("How many?", model.getDefaultOptions());
        for (Method method : OpenAiChatModel.class.getMethods()) {
            if (method.getName().equals("internalCall")) {
                assertBookedIsBilled("internalCall", () -> invoke(method, model, prompt) + "");
            } else if (method.getName().equals("internalStream")) {
                assertBookedIsBilled(
                        "internalStream", () -> ((Flux<?>) invoke(method, model, prompt)).blockLast() + "");
            }
        }
    }

    private static Object invoke(Method method, Object model, Prompt prompt) {
        try {
            return method.invoke(model, prompt, null);
        } catch (ReflectiveOperationException failed) {
            throw new LinkageError(failed.getMessage(), failed);
        }
    }

    @Test
    @DisplayName("C9: a model that is declared by its interface may be injected by its class, and cast to it")
    void aModelDeclaredByItsInterfaceIsKnownByItsClassToo() {
        assertThat(application.context().getBean("usesByClass", String.class)).contains("gpt-4o-mini");
    }

    @Test
    @DisplayName("C6: a model that throws away what it was answered is charged for it")
    void anAnswerThatIsThrownAwayIsCharged() {
        assertBookedIsBilled("failing", () -> thrownBy(() -> text(model("failing"))));
        assertBookedIsBilled("failing stream", () -> thrownBy(() -> streamed(model("failing"))));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("C9: listeners of the application that misbehave leave no call uncharged and no hold behind")
    void listenersThatMisbehaveChangeNothing(Misbehaving how) {
        listener.misbehaving = how;
        OpenAiChatModel model = application.context().getBean(OpenAiChatModel.class);
        assertBookedIsBilled("call, " + how, () -> evenIfItThrows(() -> text(model)));
        assertBookedIsBilled("stream, " + how, () -> evenIfItThrows(() -> streamed(model)));
    }

    @Test
    void theApplicationIsToldOfEachCallOnce() {
        OpenAiChatModel model = application.context().getBean(OpenAiChatModel.class);
        text(model);
        assertThat(listener.told).containsExactly("start", "scope", "scope closed", "stop");
    }

    @Test
    @DisplayName("A final class of the application's own is named, whatever it observes with")
    void aFinalClassOfTheApplicationsOwnIsNamed() throws Exception {
        String report = application.get("/actuator/tokenbudgets").body();
        assertThat(report.substring(report.indexOf("unmeteredModels")))
                .contains("byClass")
                .doesNotContain(
                        "voting", "failing", "elsewhere", "fromFactory", "byInterface", "OpenAiChatModel", "()");
    }

    private ChatModel model(String name) {
        return application.context().getBean(name, ChatModel.class);
    }

    private void assertBookedIsBilled(String tenant, Supplier<String> call) {
        long billed = application.billed();
        try (TokenBudgets.Scope open =
                TokenBudgets.open(BudgetContext.builder().tenant(tenant).build())) {
            assertThat(open).isNotNull();
            assertThat(call.get()).isNotEmpty();
        }
        application.awaitUsed("tenant:" + tenant, application.billed() - billed);
        assertThat(application.held()).isZero();
    }

    private static String text(ChatModel model) {
        return String.valueOf(
                model.call(new Prompt("How many?")).getResult().getOutput().getText());
    }

    private static String streamed(ChatModel model) {
        return model.stream(new Prompt("How many?")).collectList().block() + "";
    }

    private static String thrownBy(Supplier<String> call) {
        try {
            throw new AssertionError(call.get());
        } catch (RuntimeException expected) {
            return expected.toString();
        }
    }

    private static String evenIfItThrows(Supplier<String> call) {
        try {
            return call.get();
        } catch (RuntimeException thrown) {
            return thrown.toString();
        }
    }
}
