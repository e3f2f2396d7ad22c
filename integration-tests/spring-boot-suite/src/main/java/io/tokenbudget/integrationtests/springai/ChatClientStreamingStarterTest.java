package io.tokenbudget.integrationtests.springai;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource(Line.CLIENTS)
@DisplayName("Spring AI's ChatClient through the starter: the accounting matrix of streams")
class ChatClientStreamingStarterTest extends StarterStreamingMatrix {

    ChatClientStreamingStarterTest() {
        super(Asking.CHAT_CLIENT);
    }
}
