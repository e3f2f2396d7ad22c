package io.tokenbudget.integrationtests.providerstub;

import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Records one stream, and may cancel it. */
final class Recorder implements StreamingChatResponseHandler {
    private final StringBuilder text = new StringBuilder();
    private final CompletableFuture<ChatResponse> response = new CompletableFuture<>();
    private final CompletableFuture<Throwable> error = new CompletableFuture<>();
    private int pieces;
    private int cancelAfter = Integer.MAX_VALUE;

    Recorder cancelAfter(int count) {
        cancelAfter = count;
        return this;
    }

    @Override
    public void onPartialResponse(PartialResponse partial, PartialResponseContext context) {
        text.append(partial.text());
        if (++pieces >= cancelAfter) {
            context.streamingHandle().cancel();
        }
    }

    @Override
    public void onCompleteResponse(ChatResponse complete) {
        response.complete(complete);
    }

    @Override
    public void onError(Throwable failure) {
        error.complete(failure);
        response.completeExceptionally(failure);
    }

    String text() {
        return text.toString();
    }

    ChatResponse response(Duration atMost) throws InterruptedException, ExecutionException, TimeoutException {
        return response.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    Throwable error(Duration atMost) throws InterruptedException, ExecutionException, TimeoutException {
        return error.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }
}
