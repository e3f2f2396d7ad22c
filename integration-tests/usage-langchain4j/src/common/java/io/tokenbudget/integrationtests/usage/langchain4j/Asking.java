package io.tokenbudget.integrationtests.usage.langchain4j;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.tokenbudget.integrationtests.usage.ProviderClient;
import io.tokenbudget.langchain4j.MeteredChatModel;
import io.tokenbudget.langchain4j.MeteredStreamingChatModel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Asks a model one question, metered. */
final class Asking {
    private static final String QUESTION = "How is the weather?";
    private static final int SECONDS = 60;

    private Asking() {}

    /** Makes a model that asks at a base URL. */
    interface Models<M> {
        M at(String baseUrl) throws Exception;
    }

    static ProviderClient blocking(String provider, Models<ChatModel> models) {
        return new ProviderClient(
                provider,
                false,
                (baseUrl, meter, answer) ->
                        MeteredChatModel.wrap(models.at(baseUrl), meter).chat(QUESTION));
    }

    static ProviderClient streaming(String provider, Models<StreamingChatModel> models) {
        return new ProviderClient(provider, true, (baseUrl, meter, answer) -> {
            CompletableFuture<ChatResponse> complete = new CompletableFuture<>();
            MeteredStreamingChatModel.wrap(models.at(baseUrl), meter).chat(QUESTION, new StreamingChatResponseHandler() {
                @Override
                public void onPartialResponse(String partialResponse) {}

                @Override
                public void onCompleteResponse(ChatResponse completeResponse) {
                    complete.complete(completeResponse);
                }

                @Override
                public void onError(Throwable error) {
                    complete.completeExceptionally(error);
                }
            });
            complete.get(SECONDS, TimeUnit.SECONDS);
        });
    }
}
