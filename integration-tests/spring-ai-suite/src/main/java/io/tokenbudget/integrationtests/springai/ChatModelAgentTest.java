package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.testkit.matrix.UnderAgent;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource(Line.MODELS)
@DisplayName("Spring AI's ChatModel under the agent: the accounting matrix of blocking calls")
class ChatModelAgentTest extends SpringAiMatrix {
    private final Way way = new UnderAgent();

    ChatModelAgentTest() {
        super(Asking.CHAT_MODEL);
    }

    @Override
    protected Way way() {
        return way;
    }
}
