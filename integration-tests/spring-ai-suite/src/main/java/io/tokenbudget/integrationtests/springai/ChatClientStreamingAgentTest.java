package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.testkit.matrix.UnderAgent;
import io.tokenbudget.testkit.matrix.Way;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource(Line.CLIENTS)
@DisplayName("Spring AI's ChatClient under the agent: the accounting matrix of streams")
class ChatClientStreamingAgentTest extends SpringAiStreamingMatrix {
    private final Way way = new UnderAgent();

    ChatClientStreamingAgentTest() {
        super(Asking.CHAT_CLIENT);
    }

    @Override
    protected Way way() {
        return way;
    }
}
