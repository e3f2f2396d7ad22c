package io.tokenbudget.launches.runs;

import dev.langchain4j.service.TokenStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Waits for the one end of a stream. */
final class Waiting {
    private static final int SECONDS = 30;

    private Waiting() {}

    static Object forEnd(TokenStream stream) throws Exception {
        CompletableFuture<Object> end = new CompletableFuture<>();
        stream.onPartialResponse(text -> {})
                .onCompleteResponse(
                        response -> end.complete(response.aiMessage().text()))
                .onError(end::completeExceptionally)
                .start();
        try {
            return end.get(SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception failure) {
                throw failure;
            }
            throw e;
        }
    }
}
