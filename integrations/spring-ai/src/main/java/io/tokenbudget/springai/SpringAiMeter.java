package io.tokenbudget.springai;

import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.core.metering.ModelCall;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;

/**
 * Meters Spring AI calls: what a hook at the framework's choke points, or a decorator, calls before and after them.
 *
 * <p>Thread-safe. No method throws.
 */
public final class SpringAiMeter {
    private final CallMeter meter;

    /** @param meter books the calls */
    public SpringAiMeter(CallMeter meter) {
        this.meter = meter;
    }

    /** Opens a frame around a blocking chat call. If it has a refusal, the call must not be made. */
    public Frame open(Object model, Prompt prompt) {
        return meter.open(model, () -> ModelCall.of(null, 1, null));
    }

    /** Ends the frame with the answer or what was thrown instead; exactly one of them is not null. */
    public void close(Frame frame, @Nullable ChatResponse response, @Nullable Throwable thrown) {
        frame.succeed(null, 0, response);
    }

    /**
     * The boundary between two rounds inside one call: a tool calling manager starts to run the tools that
     * {@code response} asks for.
     *
     * @return what to pass to {@link #closeTools}; null if no call is open that this ends a round of
     */
    public @Nullable Frame openTools(Prompt prompt, ChatResponse response) {
        return null;
    }

    /**
     * The tools have run and the next round begins.
     *
     * @return the exception to throw instead of going on, or null
     */
    public @Nullable RuntimeException closeTools(
            @Nullable Frame frame, @Nullable Object toolExecutionResult, @Nullable Throwable thrown) {
        return null;
    }

    /** Counts a call that passes unmetered, such as {@code "streaming calls of Spring AI"}. */
    public void unmetered(String kind) {
        meter.unmetered(kind);
    }
}
