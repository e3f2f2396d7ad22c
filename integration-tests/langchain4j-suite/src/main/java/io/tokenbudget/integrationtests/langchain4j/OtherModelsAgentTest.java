package io.tokenbudget.integrationtests.langchain4j;

import io.tokenbudget.testkit.matrix.UnderAgent;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;

@DisplayName("LangChain4j's other models under the agent")
class OtherModelsAgentTest extends OtherModelsMatrix {
    private final Way way = new UnderAgent();

    @Override
    Way way() {
        return way;
    }

    @Override
    boolean seesEveryCall() {
        return true;
    }
}
