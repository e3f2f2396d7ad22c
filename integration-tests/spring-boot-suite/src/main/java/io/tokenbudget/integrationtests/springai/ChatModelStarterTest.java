package io.tokenbudget.integrationtests.springai;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource(Line.MODELS)
@DisplayName("Spring AI's ChatModel through the starter: the accounting matrix of blocking calls")
class ChatModelStarterTest extends StarterMatrix {

    ChatModelStarterTest() {
        super(Asking.CHAT_MODEL);
    }
}
