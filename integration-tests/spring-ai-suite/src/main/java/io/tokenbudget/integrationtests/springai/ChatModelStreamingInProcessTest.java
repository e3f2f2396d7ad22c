package io.tokenbudget.integrationtests.springai;

import org.junit.jupiter.api.DisplayName;

@ForEachProvider
@DisplayName("Spring AI's ChatModel in process: the accounting matrix of streams")
class ChatModelStreamingInProcessTest extends InProcessStreamingMatrix {

    ChatModelStreamingInProcessTest() {
        super(Asking.CHAT_MODEL);
    }
}
