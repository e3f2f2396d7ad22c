package io.tokenbudget.springai;

import io.tokenbudget.Usage;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Failure;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.core.metering.Run;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;

/**
 * One subscription to what a model streams, being metered.
 *
 * <p>Thread-safe: chunks come one after the other, but tools run, the application cancels and the next round begins on
 * threads of their own, so what is counted is guarded by the call itself. No method throws.
 *
 * <p>Refers to no type of Reactor, so that blocking calls can be metered where it is missing.
 */
final class StreamedCall implements StreamedAnswer<ChatResponse> {
    private final CallMeter meter;
    private final Conversations conversations;
    private final Frame frame;
    private final Object model;

    private final StreamedOutput output;
    private final StreamedUsage usage;
    private long counted;
    private boolean flowed;
    private boolean flowedSinceUsage;
    private boolean finished;
    private boolean nextRoundIsHeld;
    private @Nullable ChatResponse last;

    private volatile @Nullable RuntimeException refusal;
    private volatile boolean subscribed;

    StreamedCall(
            CallMeter meter, Conversations conversations, Frame frame, Object model, @Nullable ChatOptions options) {
        this.meter = meter;
        this.conversations = conversations;
        this.frame = frame;
        this.model = model;
        this.output = new StreamedOutput(meter, model, options);
        this.usage = new StreamedUsage(CallState.Reporting.of(model));
        this.refusal = frame.refusal();
    }

    /** The run that it is part of, in all rounds; null if that could not be found out. */
    @Nullable
    Run run() {
        return frame.run();
    }

    Frame frame() {
        return frame;
    }

    @Override
    public String key() {
        return Conversations.CALL;
    }

    @Override
    public @Nullable RuntimeException refusal() {
        return refusal;
    }

    @Override
    public void subscribed() {
        frame.detach();
        subscribed = true;
    }

    @Override
    public void handOn() {
        if (!subscribed) {
            frame.detach();
        }
    }

    @Override
    public @Nullable RuntimeException emitted(ChatResponse chunk) {
        try {
            if (frame.isDelegated()) {
                conversations.answers(chunk, this);
                return null;
            }
            Usage reported;
            long tokens;
            synchronized (this) {
                reported = usage.read(chunk);
                tokens = output.add(chunk);
                counted += tokens;
                flowed |= tokens > 0 || reported != null;
                flowedSinceUsage = reported == null && (flowedSinceUsage || tokens > 0);
                finished |= saysWhy(chunk);
                nextRoundIsHeld = false;
                last = chunk;
            }
            if (reported != null) {
                frame.reported(reported);
            }
            RuntimeException cut = frame.emitted(tokens);
            if (cut == null) {
                conversations.answers(chunk, this);
            } else {
                refusal = cut;
            }
            return cut;
        } catch (Throwable fault) {
            meter.fault("counting a chunk of Spring AI", fault);
            return null;
        }
    }

    @Override
    public void completed() {
        frame.succeedWith(isUsageOfTheBeginning() ? null : largest(), counted(), parts());
    }

    @Override
    public void failed(Throwable thrown) {
        frame.fail(failure(thrown), counted(), thrown);
    }

    @Override
    public void cancelled() {
        frame.cancel();
    }

    /**
     * The present round has ended with {@code response}, which asks for tools, and they run from now on.
     *
     * @return false if they are running already, or if the rounds are those of another call
     */
    boolean enterTools(ChatResponse response) {
        // A manager that hands on to another comes by twice.
        if (frame.inTools() || frame.isDelegated()) {
            return false;
        }
        Usage ofRound = null;
        long flowedOfRound = 0;
        try {
            synchronized (this) {
                usage.read(response);
                counted += output.add(response);
            }
        } catch (Throwable fault) {
            meter.fault("reading an answer of Spring AI", fault);
        }
        synchronized (this) {
            ofRound = largest();
            flowedOfRound = counted;
            usage.nextRound();
            counted = 0;
            flowed = false;
            flowedSinceUsage = false;
            finished = false;
        }
        frame.endRound(ofRound, flowedOfRound);
        frame.enterTools();
        return true;
    }

    /** The tools have ended. */
    void exitTools() {
        frame.exitTools();
    }

    /**
     * Holds for the next round.
     *
     * @return the exception to throw instead of going on, or null
     */
    @Nullable
    RuntimeException startRound(List<Message> messages, @Nullable ChatOptions options) {
        RuntimeException known = refusal;
        if (known != null) {
            return known;
        }
        RuntimeException refused = frame.startRound(() -> PromptTokens.estimate(meter, model, messages, options));
        if (refused == null) {
            synchronized (this) {
                nextRoundIsHeld = true;
            }
        } else {
            refusal = refused;
        }
        return refused;
    }

    /**
     * A model of Spring AI calls itself inside this call: that is the next round of its tool loop. If nobody has said that
     * the present round has ended, it ends now.
     */
    void roundInside() {
        boolean unannounced;
        synchronized (this) {
            unannounced = CallState.isOfSpringAi(model) && !nextRoundIsHeld;
        }
        if (unannounced && !frame.inTools() && !frame.isDelegated()) {
            frame.endRound(largest(), counted());
        }
    }

    /**
     * Whether the provider has reported nothing behind the last text and has not said why the answer ends: it was cut off.
     * Anthropic's model of 1.x repeats with each chunk what was reported when the answer began, and ends such a stream, and
     * one with an error event, as if all were well.
     */
    private synchronized boolean isUsageOfTheBeginning() {
        return flowedSinceUsage && !finished;
    }

    private static boolean saysWhy(ChatResponse chunk) {
        Generation first = chunk.getResult();
        String reason = first == null || first.getMetadata() == null
                ? null
                : first.getMetadata().getFinishReason();
        return reason != null && !reason.isEmpty();
    }

    private synchronized @Nullable Usage largest() {
        Usage largest = usage.largest();
        return largest == null ? null : NativeUsage.withCounted(largest, counted);
    }

    private synchronized long counted() {
        return counted;
    }

    private synchronized List<Object> parts() {
        List<Object> parts = new ArrayList<>(2);
        Object carrier = usage.carrier();
        if (carrier != null) {
            parts.add(carrier);
        } else if (last != null) {
            parts.add(last);
            if (last.getResult() != null) {
                parts.add(last.getResult());
            }
        }
        return parts;
    }

    /** What has flowed is billed, whatever ended it. */
    private Failure failure(Throwable thrown) {
        synchronized (this) {
            if (flowed) {
                return Failure.CUT_STREAM;
            }
        }
        try {
            return Failures.of(thrown);
        } catch (Throwable fault) {
            meter.fault("reading a failure of Spring AI", fault);
            return Failure.REJECTED;
        }
    }
}
