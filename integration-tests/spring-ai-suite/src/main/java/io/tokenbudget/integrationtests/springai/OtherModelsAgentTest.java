package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.testkit.matrix.UnderAgent;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Spring AI's other models under the agent")
class OtherModelsAgentTest extends SpringAiOtherModels {
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
