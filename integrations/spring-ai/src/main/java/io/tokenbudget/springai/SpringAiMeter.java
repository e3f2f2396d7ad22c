package io.tokenbudget.springai;

import io.tokenbudget.Usage;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Failure;
import io.tokenbudget.core.metering.Frame;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
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
        List<Message> messages = prompt == null ? null : prompt.getInstructions();
        RuntimeException told = refusalToldIn(messages);
        if (told != null) {
            return meter.openRefused(model, told);
        }
        Frame tooling = callOutsideOfWhich(model);
        if (tooling != null) {
            tooling.enterTools();
        }
        Frame frame = meter.open(
                model, () -> PromptTokens.estimate(model, messages, prompt == null ? null : prompt.getOptions()));
        if (tooling != null && frame.refusal() != null) {
            tooling.exitTools();
            tooling = null;
        }
        frame.attach(new CallState(model, tooling));
        return frame;
    }

    /** Ends the frame with the answer or what was thrown instead; exactly one of them is not null. */
    public void close(Frame frame, @Nullable ChatResponse response, @Nullable Throwable thrown) {
        if (thrown != null) {
            frame.fail(failure(thrown), 0, thrown);
        } else {
            Answer answer = read(CallState.of(frame), response);
            frame.succeed(answer.usage(), answer.countedOutput(), answer.identity());
        }
        CallState state = CallState.of(frame);
        if (state != null && state.tooling != null) {
            state.tooling.exitTools();
        }
    }

    /**
     * The boundary between two rounds inside one call: a tool calling manager starts to run the tools that
     * {@code response} asks for.
     *
     * @return what to pass to {@link #closeTools}; null if no call is open that this ends a round of
     */
    public @Nullable Frame openTools(Prompt prompt, ChatResponse response) {
        Frame frame = meter.current();
        CallState state = CallState.of(frame);
        // A manager that hands on to another comes by twice: the outer one has entered the tools.
        if (frame == null || state == null || frame.inTools() || frame.isDelegated()) {
            return null;
        }
        Answer answer = read(state, response);
        frame.endRound(answer.usage(), answer.countedOutput());
        state.options = prompt == null ? null : prompt.getOptions();
        frame.enterTools();
        return frame;
    }

    /**
     * The tools have run and the next round begins.
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
        frame.exitTools();
        if (thrown != null || !(toolExecutionResult instanceof ToolExecutionResult result)) {
            return null;
        }
        RuntimeException told = refusalToldIn(result.conversationHistory());
        if (told != null || result.returnDirect()) {
            return told;
        }
        return frame.startRound(() -> PromptTokens.estimate(state.model, result.conversationHistory(), state.options));
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

    /**
     * Spring AI turns what a tool throws into the tool's answer, so that the next round would tell the model of a budget
     * that is used up, and be billed for it. Only the answers at the end count: what a chat memory still holds of an
     * earlier run ends no later one.
     */
    private @Nullable RuntimeException refusalToldIn(@Nullable List<Message> messages) {
        if (messages == null) {
            return null;
        }
        try {
            for (int last = messages.size() - 1; last >= 0; last--) {
                if (!(messages.get(last) instanceof ToolResponseMessage answers)) {
                    return null;
                }
                for (ToolResponseMessage.ToolResponse answer : answers.getResponses()) {
                    RuntimeException refusal = meter.refusalIn(answer.responseData());
                    if (refusal != null) {
                        return refusal;
                    }
                }
            }
        } catch (Throwable fault) {
            meter.fault("looking for refusals in the answers of Spring AI tools", fault);
        }
        return null;
    }

    /**
     * @param identity what a decorator's own answer still has of the model's: many build a new one around the same usage
     */
    private record Answer(
            @Nullable Usage usage,
            long countedOutput,
            @Nullable Object identity) {}

    private Answer read(@Nullable CallState state, @Nullable ChatResponse response) {
        try {
            Usage usage = state == null ? null : state.round(response);
            return usage == null || response == null
                    ? new Answer(null, PromptTokens.output(response), response)
                    : new Answer(usage, 0, response.getMetadata().getUsage());
        } catch (Throwable fault) {
            meter.fault("reading an answer of Spring AI", fault);
            return new Answer(null, 0, response);
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
