package io.tokenbudget.integrationtests.springai;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource(Line.CLIENTS)
@DisplayName("Spring AI's ChatClient in process: the accounting matrix of blocking calls")
class ChatClientInProcessTest extends InProcessMatrix {

    ChatClientInProcessTest() {
        super(Asking.CHAT_CLIENT);
    }
}
