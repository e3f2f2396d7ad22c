package io.tokenbudget.langchain4j;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Failure;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.core.metering.Run;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
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
        RuntimeException swallowed = refusalToldIn(request);
        return swallowed == null
                ? meter.open(model, () -> RequestEstimate.of(meter, model, request))
                : meter.openRefused(model, swallowed);
    }

    /** Ends the frame with the answer or what was thrown instead; at most one of them is not null. */
    public void close(Frame frame, @Nullable ChatResponse response, @Nullable Throwable thrown) {
        if (thrown != null) {
            frame.fail(failure(thrown), 0, thrown);
            return;
        }
        UsageReading reading = read(frame, response);
        frame.succeedWith(reading.usage(), reading.output(), partsOf(response));
    }

    /**
     * Opens a streamed chat call.
     *
     * @param handler the application's
     */
    public MeteredStream openStream(Object model, ChatRequest request, StreamingChatResponseHandler handler) {
        boolean callerWaits = WaitingCallers.onThisStack();
        RuntimeException swallowed = refusalToldIn(request);
        Frame frame = swallowed == null
                ? meter.openStream(model, () -> RequestEstimate.of(meter, model, request))
                : meter.openRefused(model, swallowed);
        return new MeteredStream(this, frame, handler, callerWaits);
    }

    /** Counts a call that passes unmetered, such as {@code "streaming calls of LangChain4j"}. */
    public void unmetered(String kind) {
        meter.unmetered(kind);
    }

    /**
     * LangChain4j turns whatever a tool throws into the tool's result, so that the next round would tell the model of a
     * budget that is used up, and be billed for it. Only the results that the last answer asked for count: what a chat
     * memory still holds of an earlier run ends no later one.
     */
    private @Nullable RuntimeException refusalToldIn(ChatRequest request) {
        try {
            List<ChatMessage> messages = request.messages();
            for (int last = messages.size() - 1; last >= 0; last--) {
                if (!(messages.get(last) instanceof ToolExecutionResultMessage result)) {
                    return null;
                }
                RuntimeException refusal = meter.refusalIn(RequestEstimate.textOf(result));
                if (refusal != null) {
                    return refusal;
                }
            }
        } catch (Throwable fault) {
            meter.fault("looking for refusals in the results of LangChain4j tools", fault);
        }
        return null;
    }

    @Nullable
    Run enterRun(Frame frame) {
        return meter.enterRun(frame.run());
    }

    void leaveRun(@Nullable Run before) {
        meter.leaveRun(before);
    }

    /** Lets a call pass that cannot be metered after all. */
    void unmetered(Frame frame, Throwable fault) {
        meter.fault("listening to a stream of LangChain4j", fault);
        meter.unmetered();
        frame.fail(Failure.REJECTED, 0);
    }

    void fault(String where, Throwable fault) {
        meter.fault(where, fault);
    }

    Failure failure(Throwable thrown) {
        return failure(thrown, Failures::of);
    }

    /** Of an error that a stream signals after it has begun. */
    Failure streamFailure(Throwable signalled) {
        return failure(signalled, Failures::ofStream);
    }

    private Failure failure(Throwable thrown, Function<Throwable, Failure> rule) {
        try {
            return rule.apply(thrown);
        } catch (Throwable fault) {
            meter.fault("finding out how a LangChain4j call failed", fault);
            return Failure.REJECTED;
        }
    }

    /** What is the answer's alone: a decorator that builds a new one keeps the metadata or the message. */
    private List<Object> partsOf(@Nullable ChatResponse response) {
        try {
            return response == null
                    ? List.of()
                    : Stream.<@Nullable Object>of(response.metadata(), response.aiMessage())
                            .filter(Objects::nonNull)
                            .map(Objects::requireNonNull)
                            .toList();
        } catch (Throwable fault) {
            meter.fault("recognising a LangChain4j answer", fault);
            return List.of();
        }
    }

    private UsageReading read(Frame frame, @Nullable ChatResponse response) {
        try {
            return UsageReading.of(response, frame::output);
        } catch (Throwable fault) {
            meter.fault("reading the usage of a LangChain4j answer", fault);
            return new UsageReading(null, 0);
        }
    }
}
