package io.tokenbudget.integrationtests.langchain4j;

import io.tokenbudget.testkit.matrix.UnderAgent;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;

@DisplayName("LangChain4j under the agent: the accounting matrix of streams")
class LangChain4jStreamingAgentTest extends LangChain4jStreamingMatrix {
    private final UnderAgent underAgent = new UnderAgent();

    @Override
    protected Way way() {
        return underAgent;
    }
}
