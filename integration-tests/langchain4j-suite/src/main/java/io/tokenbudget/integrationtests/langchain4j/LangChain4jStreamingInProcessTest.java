package io.tokenbudget.integrationtests.langchain4j;

import dev.langchain4j.model.chat.StreamingChatModel;
import io.tokenbudget.langchain4j.MeteredStreamingChatModel;
import io.tokenbudget.testkit.inprocess.InProcess;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;

@DisplayName("LangChain4j in process: the accounting matrix of streams")
class LangChain4jStreamingInProcessTest extends LangChain4jStreamingMatrix {
    private final InProcess inProcess = new InProcess();

    @Override
    protected Way way() {
        return inProcess;
    }

    @Override
    protected StreamingChatModel metered(StreamingChatModel model) {
        return MeteredStreamingChatModel.wrap(model, inProcess.meter());
    }
}
