package io.tokenbudget.springai;

import io.tokenbudget.Usage;
import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Causes;
import io.tokenbudget.core.metering.Failure;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.core.metering.Run;
import io.tokenbudget.springai.Conversations.Conversation;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
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
 * <p>What streams is metered by {@link SpringAiStreams}, and its tools here.
 *
 * <p>Thread-safe. No method throws.
 */
public final class SpringAiMeter {
    /** One for all meters: a model and what runs its tools may have one each. */
    private static final Conversations CONVERSATIONS = new Conversations();

    private final CallMeter meter;

    /** @param meter books the calls */
    public SpringAiMeter(CallMeter meter) {
        this.meter = meter;
    }

    /** Opens a frame around a blocking chat call. If it has a refusal, the call must not be made. */
    public Frame open(Object model, Prompt prompt) {
        return open(model, prompt, null);
    }

    /** The same for a call that is part of the stream {@code around}, on whatever thread; null: what this thread says. */
    Frame open(Object model, Prompt prompt, @Nullable StreamedCall around) {
        List<Message> messages = prompt == null ? null : prompt.getInstructions();
        RuntimeException told = around == null ? null : around.refusal();
        if (told == null) {
            told = refusalToldIn(messages);
        }
        if (told != null) {
            return meter.openRefused(model, told);
        }
        Frame tooling = around == null ? callOutsideOfWhich(model) : null;
        if (tooling != null) {
            tooling.enterTools();
        }
        ChatOptions options = prompt == null ? null : prompt.getOptions();
        Frame frame = meter.open(
                model,
                () -> PromptTokens.estimate(meter, model, messages, options),
                around == null ? null : around.run(),
                around == null ? null : around.frame());
        if (tooling != null && frame.refusal() != null) {
            tooling.exitTools();
            tooling = null;
        }
        frame.attach(new CallState(model, options, tooling));
        return frame;
    }

    /**
     * Ends the frame with the answer or what was thrown instead; exactly one of them is not null. An answer that came and that
     * something of the application's own has thrown away is booked.
     */
    public void close(Frame frame, @Nullable ChatResponse response, @Nullable Throwable thrown) {
        CallState state = CallState.of(frame);
        ChatResponse came = thrown == null || state == null ? response : state.observed.answer(ChatResponse.class);
        if (thrown == null || came != null) {
            Answer answer = read(state, came);
            frame.succeedWith(answer.usage(), answer.countedOutput(), parts(answer.identity(), thrown));
        } else {
            frame.fail(failure(state == null ? thrown : state.observed.failure(thrown)), 0, thrown);
        }
        if (state != null && state.tooling != null) {
            state.tooling.exitTools();
        }
    }

    /**
     * The boundary between two rounds: a tool calling manager starts to run the tools that {@code response} asks for.
     *
     * @return what to pass to {@link #closeTools}
     */
    public @Nullable Object openTools(Prompt prompt, ChatResponse response) {
        Frame frame = meter.current();
        CallState state = CallState.of(frame);
        if (frame == null || state == null) {
            return openStreamedTools(prompt, response);
        }
        // A manager that hands on to another comes by twice: the outer one has entered the tools.
        if (frame.inTools() || frame.isDelegated()) {
            return null;
        }
        Answer answer = read(state, response);
        frame.endRound(answer.usage(), answer.countedOutput());
        state.observed.nextRound();
        state.options = prompt == null ? null : prompt.getOptions();
        frame.enterTools();
        return frame;
    }

    /**
     * The tools have run and the next round begins.
     *
     * @param opened from {@link #openTools}
     * @return the exception to throw instead of going on, or null
     */
    public @Nullable RuntimeException closeTools(
            @Nullable Object opened, @Nullable Object toolExecutionResult, @Nullable Throwable thrown) {
        ToolExecutionResult result =
                thrown == null && toolExecutionResult instanceof ToolExecutionResult executed ? executed : null;
        if (opened instanceof StreamedTools tools) {
            return closeStreamedTools(tools, result);
        }
        if (!(opened instanceof Frame frame)) {
            return null;
        }
        CallState state = CallState.of(frame);
        frame.exitTools();
        if (state == null || result == null) {
            return null;
        }
        RuntimeException told = refusalToldIn(result.conversationHistory());
        if (told != null || result.returnDirect()) {
            return told;
        }
        return frame.startRound(
                () -> PromptTokens.estimate(meter, state.model, result.conversationHistory(), state.options));
    }

    /**
     * Tools that run for a stream, on a thread where it is not open.
     *
     * @param before what the thread worked for
     */
    private record StreamedTools(
            Conversation conversation,
            @Nullable StreamedCall call,
            @Nullable ChatOptions options,
            @Nullable Run before) {}

    private @Nullable StreamedTools openStreamedTools(@Nullable Prompt prompt, ChatResponse response) {
        try {
            Conversation conversation = CONVERSATIONS.ofTools(prompt, response);
            StreamedCall call =
                    conversation == null ? null : conversation.call().get();
            Run run = conversation == null ? runOfTools() : conversation.run();
            if ((call == null && run == null) || (call != null && !call.enterTools(response))) {
                return null;
            }
            return new StreamedTools(
                    conversation == null ? Conversation.of(run, null) : conversation,
                    call,
                    prompt == null ? null : prompt.getOptions(),
                    meter.enterRun(run));
        } catch (Throwable fault) {
            meter.fault("looking for the stream that runs tools of Spring AI", fault);
            return null;
        }
    }

    private @Nullable RuntimeException closeStreamedTools(StreamedTools tools, @Nullable ToolExecutionResult result) {
        StreamedCall call = tools.call();
        meter.leaveRun(tools.before());
        if (call != null) {
            call.exitTools();
        }
        if (result == null) {
            return null;
        }
        List<Message> history = result.conversationHistory();
        RuntimeException told = refusalToldIn(history);
        if (told != null || result.returnDirect()) {
            return told;
        }
        CONVERSATIONS.results(history, tools.conversation());
        return call == null ? null : call.startRound(history, tools.options());
    }

    private @Nullable Run runOfTools() {
        Object run = Conversations.inContextOfTools(Conversations.RUN);
        return meter.runIn(
                Conversations.inContextOfTools(Conversations.CONTEXT), run instanceof Run ofClient ? ofClient : null);
    }

    /** The run of a client's stream that is subscribed to now, or null. */
    @Nullable
    Run clientRun(@Nullable Run origin, Function<IdentitySource, @Nullable String> call) {
        if (origin != null) {
            return meter.told(origin, call);
        }
        Run begun = meter.openRun(call);
        Run run = meter.currentRun();
        meter.closeRun(begun);
        return run;
    }

    /**
     * Opens a subscription to a stream. If it has a refusal, the model must not be subscribed to.
     *
     * @param origin the run it belongs to, as far as it is known; it may be known better from the call that it is part of, or
     *     from the tools whose results it sends
     * @param context what the Reactor context has at {@link Conversations#CONTEXT}, or null
     * @param around the call that it is part of, or null
     */
    StreamedCall openStream(
            Object model,
            @Nullable Prompt prompt,
            @Nullable Run origin,
            @Nullable Object context,
            @Nullable StreamedCall around) {
        List<Message> messages = prompt == null ? null : prompt.getInstructions();
        ChatOptions options = prompt == null ? null : prompt.getOptions();
        RuntimeException told = around == null ? null : around.refusal();
        if (told == null) {
            told = refusalToldIn(messages);
        }
        if (told != null) {
            return new StreamedCall(meter, CONVERSATIONS, meter.openRefused(model, told), model, options);
        }
        Conversation before = CONVERSATIONS.ofPrompt(messages);
        Run known = around == null ? null : around.run();
        if (known == null) {
            known = before == null || before.run() == null ? origin : before.run();
        }
        Run run = meter.runIn(context, known);
        if (around != null) {
            around.roundInside();
        }
        Frame tooling = around == null ? callOutsideOfWhich(model) : null;
        if (tooling != null) {
            tooling.enterTools();
        }
        try {
            Frame frame = meter.openStream(
                    model,
                    () -> PromptTokens.estimate(meter, model, messages, options),
                    run,
                    around == null ? null : around.frame());
            return new StreamedCall(meter, CONVERSATIONS, frame, model, options);
        } finally {
            if (tooling != null) {
                tooling.exitTools();
            }
        }
    }

    /**
     * A prompt by which the tools that a model of Spring AI 1.x runs inside the stream are known to be of it; the same prompt
     * where the model runs none or is none of Spring AI itself.
     */
    Prompt tagged(Object model, Prompt prompt) {
        boolean copies = CallOptions.MODEL_MERGES
                && CallState.isOfSpringAi(model)
                && prompt != null
                && prompt.getClass() == Prompt.class;
        return copies ? new Prompt(new TaggedMessages(prompt.getInstructions()), prompt.getOptions()) : prompt;
    }

    /** {@code prompt} is what a round of {@code call} sends. */
    void sends(Prompt prompt, StreamedCall call) {
        if (prompt != null) {
            CONVERSATIONS.sends(prompt, call);
        }
    }

    /** Whether {@code thrown} is what Spring AI's advisors make of a refusal. */
    static boolean isWrappedRefusal(Throwable thrown) {
        List<Throwable> causes = thrown instanceof IllegalStateException ? Causes.of(thrown) : List.of();
        return causes.size() > 1 && causes.get(1).getClass().getName().equals("io.tokenbudget.LimitExceededException");
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

    private static List<Object> parts(@Nullable Object identity, @Nullable Throwable thrown) {
        return Stream.of(identity, thrown)
                .filter(Objects::nonNull)
                .<Object>map(part -> part)
                .toList();
    }

    private Answer read(@Nullable CallState state, @Nullable ChatResponse response) {
        try {
            Usage usage = state == null ? null : state.round(response);
            if (usage == null || response == null) {
                return new Answer(null, counted(state, response), response);
            }
            Usage whole = usage.outputTokens() > 0 ? usage : NativeUsage.withCounted(usage, counted(state, response));
            return new Answer(whole, 0, response.getMetadata().getUsage());
        } catch (Throwable fault) {
            meter.fault("reading an answer of Spring AI", fault);
            return new Answer(null, 0, response);
        }
    }

    private long counted(@Nullable CallState state, @Nullable ChatResponse response) {
        String name = state == null
                ? null
                : CallOptions.of(state.model, state.options).model();
        return PromptTokens.output(meter.tokens(name), response);
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
