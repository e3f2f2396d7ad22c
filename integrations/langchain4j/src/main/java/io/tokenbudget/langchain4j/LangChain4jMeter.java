package io.tokenbudget.langchain4j;

import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.core.metering.ModelCall;
import org.jspecify.annotations.Nullable;

/**
 * Meters LangChain4j calls: what a hook at the framework's choke point, or a decorator, calls before and after it.
 *
 * <p>Thread-safe. No method throws.
 */
public final class LangChain4jMeter {
    private final CallMeter meter;

    /** @param meter books the calls */
    public LangChain4jMeter(CallMeter meter) {
        this.meter = meter;
    }

    /** Opens a frame around a blocking chat call. If it has a refusal, the call must not be made. */
    public Frame open(Object model, ChatRequest request) {
        return meter.open(model, () -> ModelCall.of(request.modelName(), 1, request.maxOutputTokens()));
    }

    /** Ends the frame with the answer or what was thrown instead; exactly one of them is not null. */
    public void close(Frame frame, @Nullable ChatResponse response, @Nullable Throwable thrown) {
        frame.succeed(null, 0, response);
    }

    /** Counts a call that passes unmetered, such as {@code "streaming calls of LangChain4j"}. */
    public void unmetered(String kind) {
        meter.unmetered(kind);
    }
}
