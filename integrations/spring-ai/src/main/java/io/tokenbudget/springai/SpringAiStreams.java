package io.tokenbudget.springai;

import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.metering.CallKind;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Run;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Meters what Spring AI models stream: what a hook at the framework's choke points, or a decorator, calls with the stream
 * that the framework returned, and returns instead of it.
 *
 * <pre>
 *   StreamAdvisorChain.nextStream ... ofClient: one run, whatever threads its advisors work on
 *     ChatModel.stream .............. metered: reserves when it is subscribed to, counts what flows, books the end
 *       (1.x) internalStream ........ round: the prompt of each round leads to its call
 *       (1.x) executeToolCalls ...... {@link SpringAiMeter#openTools}, closeTools
 * </pre>
 *
 * <p>Thread-safe. No method throws.
 */
public final class SpringAiStreams {
    private final CallMeter calls;
    private final SpringAiMeter meter;
    private final OtherCalls others;

    /** @param meter books the calls */
    public SpringAiStreams(CallMeter meter) {
        this.calls = meter;
        this.meter = new SpringAiMeter(meter);
        this.others = new OtherCalls(meter);
    }

    /** What {@code model} streams for {@code prompt}, metered. */
    public Flux<ChatResponse> metered(Object model, Prompt prompt, Flux<ChatResponse> source) {
        return metered(model, prompt, prompt, source);
    }

    /** Asks {@code model} for a stream, with the prompt that {@code asked} is given, and meters it. */
    @Nullable
    Flux<ChatResponse> stream(ChatModel model, Prompt prompt, Function<Prompt, @Nullable Flux<ChatResponse>> asked) {
        Prompt sent = meter.tagged(model, prompt);
        Flux<ChatResponse> source = asked.apply(sent);
        if (source == null) {
            return source;
        }
        // A model of Spring AI itself asks no other.
        boolean mayDecorate = ObservedChats.areSupported() && !CallState.isOfSpringAi(model);
        return metered(model, prompt, sent, mayDecorate ? source.contextWrite(CarriedCall::in) : source);
    }

    private Flux<ChatResponse> metered(Object model, Prompt prompt, Prompt sent, Flux<ChatResponse> source) {
        Run origin = calls.origin();
        return Flux.from(new MeteredStream<>(
                calls, context -> open(model, prompt, sent, runIn(context, origin), context), source));
    }

    private StreamedCall open(Object model, Prompt prompt, Prompt sent, @Nullable Run run, Context context) {
        StreamedCall around = context.getOrDefault(Conversations.CALL, null) instanceof StreamedCall call ? call : null;
        StreamedCall call =
                meter.openStream(model, prompt, run, context.getOrDefault(Conversations.CONTEXT, null), around);
        meter.sends(sent, call);
        return call;
    }

    private static @Nullable Run runIn(Context context, @Nullable Run origin) {
        return context.getOrDefault(Conversations.RUN, null) instanceof Run ofClient ? ofClient : origin;
    }

    /**
     * What {@code model} streams that is no chat, such as speech, metered: held is the estimate of the text in the request,
     * from each subscription on; booked is what the pieces report, or what was held where they report nothing.
     */
    public <T> Flux<T> other(Object model, CallKind kind, @Nullable Object request, Flux<T> source) {
        Run origin = calls.origin();
        return Flux.from(
                new MeteredStream<>(calls, context -> openOther(model, kind, request, origin, context), source));
    }

    private <T> StreamedAnswer<T> openOther(
            Object model, CallKind kind, @Nullable Object request, @Nullable Run origin, Context context) {
        OtherStream<?> around =
                context.getOrDefault(OtherStream.KEY, null) instanceof OtherStream<?> stream ? stream : null;
        Run known = around == null ? null : around.run();
        Run run = calls.runIn(
                context.getOrDefault(Conversations.CONTEXT, null), known == null ? runIn(context, origin) : known);
        return others.openStream(model, kind, request, run, around);
    }

    /** One round of the tool loop inside a model, which sends {@code prompt}. */
    public Flux<ChatResponse> round(Prompt prompt, Flux<ChatResponse> source) {
        return Flux.from(subscriber -> {
            var actual = Operators.<ChatResponse>toCoreSubscriber(subscriber);
            if (actual.currentContext().getOrDefault(Conversations.CALL, null) instanceof StreamedCall call) {
                meter.sends(prompt, call);
            }
            source.subscribe(actual);
        });
    }

    /** What is done while it is subscribed to is done for the run that is in the Reactor context, as far as one is known. */
    public <T> Flux<T> inRun(Flux<T> source) {
        Run origin = calls.origin();
        return Flux.from(subscriber -> {
            var actual = Operators.<T>toCoreSubscriber(subscriber);
            Context context = actual.currentContext();
            Run run = calls.runIn(context.getOrDefault(Conversations.CONTEXT, null), runIn(context, origin));
            Run before = calls.enterRun(run);
            try {
                source.subscribe(actual);
            } finally {
                calls.leaveRun(before);
            }
        });
    }

    /**
     * A client's stream. All that it asks models for is one run, of whoever subscribes to it, on whatever threads its advisors
     * work; and a refusal arrives as it is, though advisors wrap what they did not expect.
     *
     * @param call what the client's call says of its caller: {@link ClientCalls}
     */
    public <T> Flux<T> ofClient(Flux<T> source, Function<IdentitySource, @Nullable String> call) {
        Run origin = calls.origin();
        return source.onErrorMap(SpringAiMeter::isWrappedRefusal, Throwable::getCause)
                .contextWrite(context -> {
                    if (context.hasKey(Conversations.RUN)) {
                        return context;
                    }
                    // Who calls is known best from the context that it is subscribed in.
                    Run known = calls.runIn(context.getOrDefault(Conversations.CONTEXT, null), origin);
                    Run run = meter.clientRun(known, call);
                    return run == null ? context : context.put(Conversations.RUN, run);
                });
    }
}
