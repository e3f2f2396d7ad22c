package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.testkit.matrix.Provider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(value = Provider.class, names = "OPENAI")
@DisplayName("Spring AI's ChatClient in process: the accounting matrix of streams")
class ChatClientStreamingInProcessTest extends InProcessStreamingMatrix {

    ChatClientStreamingInProcessTest() {
        super(Asking.CHAT_CLIENT);
    }
}
