package io.tokenbudget.integrationtests.langchain4j;

import dev.langchain4j.model.chat.StreamingChatModel;
import io.tokenbudget.integrationtests.springboot.StarterBeans;
import io.tokenbudget.testkit.inprocess.InProcess;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;

@DisplayName("LangChain4j through the starter: the accounting matrix of streams")
class LangChain4jStreamingStarterTest extends LangChain4jStreamingMatrix {
    private final InProcess way = new InProcess();
    private final StarterBeans beans = new StarterBeans(way.meter());

    @Override
    protected Way way() {
        return way;
    }

    @Override
    protected StreamingChatModel metered(StreamingChatModel model) {
        return model.getClass().getName().startsWith("dev.langchain4j.")
                ? beans.byClass(model)
                : beans.bean(StreamingChatModel.class, model);
    }
}
