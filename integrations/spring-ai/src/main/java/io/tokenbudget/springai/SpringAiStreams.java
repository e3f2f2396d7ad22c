package io.tokenbudget.springai;

import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Run;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

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
    private final SpringAiMeter meter;

    /** @param meter books the calls */
    public SpringAiStreams(CallMeter meter) {
        this(new SpringAiMeter(meter));
    }

    SpringAiStreams(SpringAiMeter meter) {
        this.meter = meter;
    }

    /** What {@code model} streams for {@code prompt}, metered. */
    public Flux<ChatResponse> metered(Object model, Prompt prompt, Flux<ChatResponse> source) {
        return metered(model, prompt, prompt, source);
    }

    /** Asks {@code model} for a stream and meters it. */
    Flux<ChatResponse> stream(ChatModel model, Prompt prompt) {
        Prompt sent = meter.tagged(model, prompt);
        Flux<ChatResponse> source = model.stream(sent);
        return source == null ? source : metered(model, prompt, sent, source);
    }

    private Flux<ChatResponse> metered(Object model, Prompt prompt, Prompt sent, Flux<ChatResponse> source) {
        Run origin = meter.origin();
        return Flux.from(new MeteredStream(meter, model, prompt, sent, origin, source));
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

    /**
     * A client's stream. All that it asks models for is one run, of whoever subscribes to it, on whatever threads its advisors
     * work; and a refusal arrives as it is, though advisors wrap what they did not expect.
     */
    public <T> Flux<T> ofClient(Flux<T> source) {
        Run origin = meter.origin();
        return source.onErrorMap(SpringAiMeter::isWrappedRefusal, Throwable::getCause)
                .contextWrite(context -> {
                    Run run = context.hasKey(Conversations.RUN) ? null : meter.clientRun(origin);
                    return run == null ? context : context.put(Conversations.RUN, run);
                });
    }
}
