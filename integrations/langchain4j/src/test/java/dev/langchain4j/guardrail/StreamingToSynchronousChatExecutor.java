package dev.langchain4j.guardrail;

import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.util.ArrayList;
import java.util.List;

/** Stands where LangChain4j has one since 1.1: told of an error, the real one waits for ever. */
public final class StreamingToSynchronousChatExecutor {
    private StreamingToSynchronousChatExecutor() {}

    public static ChatResponse execute(StreamingChatModel model, String question) {
        List<ChatResponse> responses = new ArrayList<>();
        model.chat(question, new StreamingChatResponseHandler() {
            @Override
            public void onPartialResponse(String piece) {}

            @Override
            public void onCompleteResponse(ChatResponse response) {
                responses.add(response);
            }

            @Override
            public void onError(Throwable error) {}
        });
        if (responses.isEmpty()) {
            throw new AssertionError("waits for ever");
        }
        return responses.get(0);
    }
}
