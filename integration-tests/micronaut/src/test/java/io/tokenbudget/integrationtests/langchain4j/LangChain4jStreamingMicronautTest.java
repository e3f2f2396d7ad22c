package io.tokenbudget.integrationtests.langchain4j;

import dev.langchain4j.model.chat.StreamingChatModel;
import io.tokenbudget.testkit.inprocess.InProcess;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;

@DisplayName("LangChain4j through Micronaut: the accounting matrix of streams")
class LangChain4jStreamingMicronautTest extends LangChain4jStreamingMatrix {
    private final InProcess inProcess = new InProcess();
    private final MicronautBeans beans = new MicronautBeans(inProcess.meter());

    @Override
    protected Way way() {
        return inProcess;
    }

    @Override
    protected StreamingChatModel metered(StreamingChatModel model) {
        return beans.bean(StreamingChatModel.class, model);
    }
}
