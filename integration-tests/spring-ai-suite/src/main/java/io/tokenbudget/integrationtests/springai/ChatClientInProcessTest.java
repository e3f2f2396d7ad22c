package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.testkit.matrix.Provider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(value = Provider.class, names = "OPENAI")
@DisplayName("Spring AI's ChatClient in process: the accounting matrix of blocking calls")
class ChatClientInProcessTest extends InProcessMatrix {

    ChatClientInProcessTest() {
        super(Asking.CHAT_CLIENT);
    }
}
