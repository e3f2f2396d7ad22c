package io.tokenbudget.launches.woven;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.tokenbudget.TokenBudget;
import java.util.concurrent.CompletableFuture;

/** What the application does: five runs, one of them within another's extent and one refused. */
final class Desk {
    private static final String QUESTION = "How is the weather?";

    private final ChatModel model;
    private final StreamingChatModel streaming;

    Desk(ChatModel model, StreamingChatModel streaming) {
        this.model = model;
        this.streaming = streaming;
    }

    /** Prints what comes of each. */
    void work() {
        System.out.println("plan -> " + plan("acme"));
        System.out.println("research -> " + research("zen"));
        System.out.println("tell -> " + tell("acme").join());
        System.out.println("outside -> " + model.chat(QUESTION));
        try {
            System.out.println("dig -> " + dig("acme"));
        } catch (RuntimeException failure) {
            System.out.println("dig -> " + failure.getClass().getName() + " of "
                    + failure.getClass().getClassLoader());
        }
        System.out.println("around " + Timing.counts());
    }

    @TokenBudget(agent = "planner", tenant = "{tenant}")
    String plan(String tenant) {
        return model.chat(QUESTION) + model.chat(QUESTION);
    }

    @TokenBudget(agent = "researcher", tenant = "{tenant}")
    String research(String tenant) {
        return model.chat(QUESTION) + plan(tenant);
    }

    @TokenBudget(agent = "teller", tenant = "{tenant}")
    CompletableFuture<String> tell(String tenant) {
        CompletableFuture<String> told = new CompletableFuture<>();
        streaming.chat(QUESTION, new StreamingChatResponseHandler() {
            @Override
            public void onPartialResponse(String text) {}

            @Override
            public void onCompleteResponse(ChatResponse answer) {
                told.complete(answer.aiMessage().text());
            }

            @Override
            public void onError(Throwable failure) {
                told.completeExceptionally(failure);
            }
        });
        return told;
    }

    @TokenBudget(agent = "digger", tenant = "{tenant}", maxTokens = 10)
    String dig(String tenant) {
        return model.chat(QUESTION);
    }
}
