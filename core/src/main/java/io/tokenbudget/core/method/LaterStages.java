package io.tokenbudget.core.method;

import io.tokenbudget.core.metering.UpFront;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The stages of the JDK. The run ends with the stage: what is held for it up front, and a refusal that the fallback answers. */
@SuppressWarnings("FutureReturnValueIgnored") // what a stage ends with is handed on, and a result is an object here
final class LaterStages implements LaterResult {

    @Override
    public boolean isOf(Object returned) {
        return returned instanceof CompletionStage<?>;
    }

    @Override
    public Object goesOn(Object returned, MethodCall call) {
        CompletionStage<?> stage = (CompletionStage<?>) returned;
        if (!call.hasFallback() || !call.mayReturn(CompletableFuture.class)) {
            UpFront upFront = call.upFront();
            if (upFront != UpFront.NOTHING) {
                stage.whenComplete((value, thrown) -> upFront.end());
            }
            return returned;
        }
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        result.whenComplete((value, thrown) -> givenUp(call, stage, value, thrown));
        stage.whenComplete((value, thrown) -> {
            call.upFront().end();
            if (thrown == null) {
                result.complete(value);
            } else {
                instead(thrown, call, result);
            }
        });
        return result;
    }

    /**
     * Whoever has the result may end it, by a time-out or otherwise, as they could end the method's own: it ends alike, and with it
     * what is held.
     */
    @SuppressWarnings("unchecked") // what completes the one completes the other
    private static void givenUp(
            MethodCall call, CompletionStage<?> stage, @Nullable Object value, @Nullable Throwable thrown) {
        call.upFront().end();
        if (!(stage instanceof CompletableFuture<?> future) || future.isDone()) {
            return;
        }
        if (thrown instanceof CancellationException) {
            future.cancel(true);
        } else if (thrown != null) {
            future.completeExceptionally(thrown);
        } else {
            ((CompletableFuture<@Nullable Object>) future).complete(value);
        }
    }

    private static void instead(Throwable thrown, MethodCall call, CompletableFuture<@Nullable Object> result) {
        try {
            Object fallen = call.threw(thrown);
            if (fallen instanceof CompletionStage<?> stage) {
                stage.whenComplete((value, itsOwn) -> {
                    if (itsOwn == null) {
                        result.complete(value);
                    } else {
                        result.completeExceptionally(itsOwn);
                    }
                });
            } else {
                result.complete(null);
            }
        } catch (Throwable unanswered) {
            result.completeExceptionally(unanswered);
        }
    }
}
