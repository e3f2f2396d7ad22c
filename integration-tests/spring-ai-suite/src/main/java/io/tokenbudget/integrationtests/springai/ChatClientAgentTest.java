package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.testkit.matrix.UnderAgent;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource(Line.CLIENTS)
@DisplayName("Spring AI's ChatClient under the agent: the accounting matrix of blocking calls")
class ChatClientAgentTest extends SpringAiMatrix {
    private final Way way = new UnderAgent();

    ChatClientAgentTest() {
        super(Asking.CHAT_CLIENT);
    }

    @Override
    protected Way way() {
        return way;
    }
}
