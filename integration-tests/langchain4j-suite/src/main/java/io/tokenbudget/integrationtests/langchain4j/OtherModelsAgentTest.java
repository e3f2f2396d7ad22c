package io.tokenbudget.integrationtests.langchain4j;

import io.tokenbudget.testkit.matrix.UnderAgent;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;

@DisplayName("LangChain4j's other models under the agent")
class OtherModelsAgentTest extends LangChain4jOtherModels {
    private final Way way = new UnderAgent();

    @Override
    protected Way way() {
        return way;
    }

    @Override
    protected boolean seesEveryCall() {
        return true;
    }
}
