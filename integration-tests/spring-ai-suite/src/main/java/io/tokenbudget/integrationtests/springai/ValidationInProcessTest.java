package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.springai.MeteredChatModel;
import io.tokenbudget.testkit.inprocess.InProcess;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;
import org.springframework.ai.chat.model.ChatModel;

@DisplayName("Answers of Spring AI's models that are validated, in process")
class ValidationInProcessTest extends ValidationMatrix {
    private final InProcess way = new InProcess();

    @Override
    Way way() {
        return way;
    }

    @Override
    ChatModel metered(ChatModel model) {
        return MeteredChatModel.wrap(model, way.meter());
    }
}
