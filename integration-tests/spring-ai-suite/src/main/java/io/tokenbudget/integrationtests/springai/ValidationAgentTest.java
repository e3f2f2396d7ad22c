package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.testkit.matrix.UnderAgent;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;
import org.springframework.ai.chat.model.ChatModel;

@DisplayName("Answers of Spring AI's models that are validated, under the agent")
class ValidationAgentTest extends ValidationMatrix {
    private final Way way = new UnderAgent();

    @Override
    Way way() {
        return way;
    }

    @Override
    ChatModel metered(ChatModel model) {
        return model;
    }
}
