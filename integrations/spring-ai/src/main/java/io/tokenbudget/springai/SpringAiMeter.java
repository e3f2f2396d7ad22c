package io.tokenbudget.springai;

import io.tokenbudget.Usage;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Failure;
import io.tokenbudget.core.metering.Frame;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolExecutionResult;

/**
 * Meters Spring AI calls: what a hook at the framework's choke points, or a decorator, calls before and after them.
 *
 * <pre>
 *   ChatModel.call ........ open ─────────────────────────────────────────────────── close
 *   ToolCallingManager
 *     .executeToolCalls ...        openTools ── tools run ── closeTools  (1.x: inside the call, once a round)
 * </pre>
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
        Frame tooling = callOutsideOfWhich(model);
        if (tooling != null) {
            tooling.enterTools();
        }
        Frame frame = meter.open(
                model,
                () -> PromptTokens.estimate(
                        model,
                        prompt == null ? null : prompt.getInstructions(),
                        prompt == null ? null : prompt.getOptions()));
        CallState state = new CallState(model);
        if (frame.refusal() == null) {
            state.tooling = tooling;
        } else if (tooling != null) {
            tooling.exitTools();
        }
        frame.attach(state);
        return frame;
    }

    /** Ends the frame with the answer or what was thrown instead; exactly one of them is not null. */
    public void close(Frame frame, @Nullable ChatResponse response, @Nullable Throwable thrown) {
        if (thrown != null) {
            frame.fail(failure(thrown), 0, thrown);
        } else {
            Answer answer = read(CallState.of(frame), response);
            frame.succeed(answer.usage(), answer.countedOutput(), response);
        }
        CallState state = CallState.of(frame);
        if (state != null && state.tooling != null) {
            state.tooling.exitTools();
            state.tooling = null;
        }
    }

    /**
     * A tool calling manager starts to run the tools that {@code response} asks for. Inside a call, this ends a round.
     *
     * @return what to pass to {@link #closeTools}; null if another manager has handed the same answer on to this one
     */
    public @Nullable Frame openTools(Prompt prompt, ChatResponse response) {
        Frame frame = meter.current();
        CallState state = CallState.of(frame);
        if (frame != null && state != null && frame.inTools() && state.runsToolsOf(response)) {
            return null;
        }
        if (frame == null || state == null || frame.inTools() || frame.isDelegated()) {
            frame = meter.openTools();
            state = new CallState(null);
            frame.attach(state);
        } else {
            Answer answer = read(state, response);
            frame.endRound(answer.usage(), answer.countedOutput());
            frame.enterTools();
        }
        state.toolsOf = response;
        state.options = prompt == null ? null : prompt.getOptions();
        return frame;
    }

    /**
     * The tools have run. Inside a call, the next round begins.
     *
     * @param frame from {@link #openTools}
     * @return the exception to throw instead of going on, or null
     */
    public @Nullable RuntimeException closeTools(
            @Nullable Frame frame, @Nullable Object toolExecutionResult, @Nullable Throwable thrown) {
        CallState state = CallState.of(frame);
        if (frame == null || state == null) {
            return null;
        }
        state.toolsOf = null;
        Object model = state.model;
        if (model == null) {
            frame.succeed(null, 0, null);
        } else {
            frame.exitTools();
        }
        if (thrown != null || !(toolExecutionResult instanceof ToolExecutionResult result)) {
            return null;
        }
        RuntimeException swallowed = swallowed(frame.refusedInside(), result);
        if (swallowed != null || model == null || result.returnDirect()) {
            return swallowed;
        }
        return frame.startRound(() -> PromptTokens.estimate(model, result.conversationHistory(), state.options));
    }

    /** Counts a call that passes unmetered, such as {@code "streaming calls of Spring AI"}. */
    public void unmetered(String kind) {
        meter.unmetered(kind);
    }

    /**
     * The open call that {@code model} is called from a tool of, although nobody announced its tools: a model of Spring AI
     * itself calls no other model, so its tool calling manager is one that is not hooked.
     */
    private @Nullable Frame callOutsideOfWhich(Object model) {
        Frame outer = meter.current();
        CallState state = CallState.of(outer);
        boolean unannounced =
                outer != null && state != null && !outer.inTools() && !outer.isFor(model) && state.isOfSpringAi();
        return unannounced ? outer : null;
    }

    /** A refusal inside a tool of which the model would only be told the message, and be billed for reading it. */
    private @Nullable RuntimeException swallowed(@Nullable RuntimeException refusal, ToolExecutionResult result) {
        try {
            return refusal != null && ToolAnswers.contain(result, refusal.getMessage()) ? refusal : null;
        } catch (Throwable fault) {
            meter.fault("reading the answers of tools", fault);
            return null;
        }
    }

    private record Answer(@Nullable Usage usage, long countedOutput) {}

    private Answer read(@Nullable CallState state, @Nullable ChatResponse response) {
        try {
            Usage usage = state == null ? null : state.round(response);
            return new Answer(usage, usage == null ? PromptTokens.output(response) : 0);
        } catch (Throwable fault) {
            meter.fault("reading an answer of Spring AI", fault);
            return new Answer(null, 0);
        }
    }

    private Failure failure(Throwable thrown) {
        try {
            return Failures.of(thrown);
        } catch (Throwable fault) {
            meter.fault("reading a failure of Spring AI", fault);
            return Failure.REJECTED;
        }
    }
}
