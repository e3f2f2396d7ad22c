package io.tokenbudget.integrationtests.langchain4j;

import dev.langchain4j.model.chat.ChatModel;
import io.tokenbudget.testkit.inprocess.InProcess;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;

@DisplayName("LangChain4j through Micronaut: the accounting matrix of blocking calls")
class LangChain4jMicronautTest extends LangChain4jMatrix {
    private final InProcess inProcess = new InProcess();
    private final MicronautBeans beans = new MicronautBeans(inProcess.meter());

    @Override
    protected Way way() {
        return inProcess;
    }

    @Override
    protected ChatModel metered(ChatModel model) {
        return beans.bean(ChatModel.class, model);
    }
}
