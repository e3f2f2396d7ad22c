package io.tokenbudget.integrationtests.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import java.lang.reflect.Method;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.ai.openai.OpenAiChatModel;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("Starter: copies that a model makes of itself are metered or named")
public class CopiesTest {
    private final Application application = Application.start(
            ManyWays.class,
            "management.endpoints.web.exposure.include=tokenbudgets",
            "token-budget.budgets[0].scope=global",
            "token-budget.budgets[0].limits[0]=1M tokens per 1h");

    @AfterAll
    void stop() {
        application.close();
    }

    /** Spring AI 2's have no {@code mutate()}. */
    @Test
    void aCopyThatNobodySeesIsNamed() throws Exception {
        OpenAiChatModel model = application.context().getBean(OpenAiChatModel.class);
        if (!Application.SPRING_AI_2) {
            model.mutate();
            assertThat(application.get("/actuator/tokenbudgets").body())
                    .contains("openAiChatModel.mutate()", "copies are metered where they are beans");
        }
    }

    @Test
    void aCloneIsMetered() throws Exception {
        OpenAiChatModel model = application.context().getBean(OpenAiChatModel.class);
        for (Method method : OpenAiChatModel.class.getMethods()) {
            if (method.getName().equals("clone") && method.getReturnType() == OpenAiChatModel.class) {
                long used = application.used("global");
                long billed = application.billed();
                OpenAiChatModel clone = (OpenAiChatModel) method.invoke(model);
                assertNotSame(model, clone);
                clone.call("How many?");
                application.awaitUsed("global", used + application.billed() - billed);
            }
        }
    }
}
