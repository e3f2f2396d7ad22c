package io.tokenbudget.integrationtests.springai;

import io.micrometer.observation.ObservationRegistry;
import io.tokenbudget.testkit.matrix.UnderAgent;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;

@DisplayName("Listeners that throw, of Spring AI's models under the agent")
class ThrowingListenersAgentTest extends ThrowingListenersMatrix {
    private final Way way = new UnderAgent();

    @Override
    Way way() {
        return way;
    }

    @Override
    ToolCallingManager manager() {
        return ToolCallingManager.builder().build();
    }

    @Override
    ChatModel metered(ChatModel model) {
        return model;
    }

    @Override
    <M> M metered(Class<M> type, M model) {
        return model;
    }

    @Override
    void prepare(ObservationRegistry listeners) {}
}
