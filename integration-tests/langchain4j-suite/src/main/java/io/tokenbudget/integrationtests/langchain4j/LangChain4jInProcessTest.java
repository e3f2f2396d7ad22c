package io.tokenbudget.integrationtests.langchain4j;

import dev.langchain4j.model.chat.ChatModel;
import io.tokenbudget.langchain4j.MeteredChatModel;
import io.tokenbudget.testkit.inprocess.InProcess;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;

@DisplayName("LangChain4j in process: the accounting matrix of blocking calls")
class LangChain4jInProcessTest extends LangChain4jMatrix {
    private final InProcess inProcess = new InProcess();

    @Override
    protected Way way() {
        return inProcess;
    }

    @Override
    protected ChatModel metered(ChatModel model) {
        return MeteredChatModel.wrap(model, inProcess.meter());
    }
}
