package io.tokenbudget.langchain4j;

import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.StreamingResponseHandler;
import dev.langchain4j.model.input.Prompt;
import dev.langchain4j.model.output.Response;
import dev.langchain4j.model.output.TokenUsage;
import io.tokenbudget.Usage;
import io.tokenbudget.core.estimates.RequestTokens;
import io.tokenbudget.core.metering.CallKind;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Failure;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.core.metering.ModelCall;
import io.tokenbudget.core.metering.Run;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Meters what is no chat: embeddings, images, moderation, audio, scoring and plain completions.
 *
 * <p>Held is the estimate of all text in the request, and for completions the output as for a chat; booked is the usage that
 * the answer reports, or what was held of the input where it reports none. A method that hands on to another of the same
 * model is the same call.
 *
 * <p>Thread-safe. No method throws.
 */
public final class OtherCalls {
    private static final int LONGEST_NESTING = 8;
    private static final String READING = "reading a LangChain4j answer";
    private static final Reflected MODEL_NAME = Reflected.method("modelName");
    private static final Reflected MODEL_NAME_FIELD = Reflected.field("modelName");
    private static final Reflected USAGE = Reflected.method("tokenUsage");
    private static final Reflected METADATA = Reflected.method("metadata");
    private static final Reflected CONTENT = Reflected.method("content");

    /** Where the requests of later versions keep their texts. */
    private static final List<Reflected> TEXTS = List.of(
            Reflected.method("text"),
            Reflected.method("texts"),
            Reflected.method("inputs"),
            Reflected.method("textSegments"),
            Reflected.method("contents"),
            Reflected.method("prompt"));

    private final CallMeter meter;

    /** @param meter books the calls */
    public OtherCalls(CallMeter meter) {
        this.meter = meter;
    }

    /**
     * Opens a frame around a call. If it has a refusal, the call must not be made.
     *
     * @param arguments of the method: texts, lists of them, or requests with them
     */
    public Frame open(Object model, CallKind kind, @Nullable Object... arguments) {
        return meter.open(model, kind, () -> estimate(model, kind, arguments));
    }

    /**
     * Opens a streamed completion.
     *
     * @param handler the application's
     * @param arguments of the method: texts, lists of them, or requests with them
     */
    public MeteredCompletion openStream(
            Object model, StreamingResponseHandler<?> handler, @Nullable Object... arguments) {
        CallKind kind = CallKind.COMPLETION;
        Frame frame = meter.openStream(model, kind, () -> estimate(model, kind, arguments), null, null);
        return new MeteredCompletion(this, frame, handler);
    }

    private ModelCall estimate(Object model, CallKind kind, @Nullable Object[] arguments) {
        String name = modelName(model);
        long input = Math.max(1, tokens(meter.tokens(name), List.of(present(arguments)), LONGEST_NESTING));
        if (kind == CallKind.IMAGE) {
            return ModelCall.ofImages(name, input, images(arguments));
        }
        return kind.answersInTokens() ? ModelCall.of(name, input, null) : ModelCall.withoutOutput(name, input);
    }

    /** {@code generate(prompt, n)}; every other method makes one. */
    private static int images(@Nullable Object[] arguments) {
        for (Object argument : arguments) {
            if (argument instanceof Integer number) {
                return number;
            }
        }
        return 1;
    }

    /** Ends the frame with the answer or what was thrown instead; at most one of them is not null. */
    public void close(Frame frame, @Nullable Object answer, @Nullable Throwable thrown) {
        if (thrown != null) {
            frame.fail(failure(thrown), 0, thrown);
        } else {
            frame.succeedWith(
                    usage(answer),
                    read(answer, told -> output(frame, told), 0L),
                    read(answer, OtherCalls::parts, List.of()));
        }
    }

    /** What {@code part} finds in an answer, whose class may be the application's. */
    private <T> T read(@Nullable Object answer, Function<@Nullable Object, T> part, T otherwise) {
        try {
            return part.apply(answer);
        } catch (Throwable fault) {
            meter.fault(READING, fault);
            return otherwise;
        }
    }

    private static Object[] present(@Nullable Object[] arguments) {
        List<Object> present = new ArrayList<>();
        for (Object argument : arguments) {
            if (argument != null) {
                present.add(argument);
            }
        }
        return present.toArray();
    }

    private static long tokens(RequestTokens counter, @Nullable Object value, int deepest) {
        if (value == null || deepest == 0) {
            return 0;
        }
        if (value instanceof CharSequence text) {
            return counter.text(text);
        }
        if (value instanceof TextSegment segment) {
            return counter.text(segment.text());
        }
        if (value instanceof Prompt prompt) {
            return counter.text(prompt.text());
        }
        long tokens = 0;
        if (value instanceof Collection<?> values) {
            for (Object each : values) {
                tokens += tokens(counter, each, deepest - 1);
            }
            return tokens;
        }
        if (value instanceof Object[] values) {
            return tokens(counter, List.of(present(values)), deepest);
        }
        for (Reflected part : TEXTS) {
            tokens = Math.max(tokens, tokens(counter, part.get(value), deepest - 1));
        }
        return tokens;
    }

    private static @Nullable String modelName(Object model) {
        Object name = MODEL_NAME.get(model);
        if (!(name instanceof String)) {
            name = MODEL_NAME_FIELD.get(model);
        }
        return name instanceof String text && !text.isBlank() ? text : null;
    }

    private @Nullable Usage usage(@Nullable Object answer) {
        try {
            Object reported = answer instanceof Response<?> response ? response.tokenUsage() : USAGE.get(answer);
            if (reported == null) {
                reported = USAGE.get(METADATA.get(answer));
            }
            return reported instanceof TokenUsage usage
                    ? ReportedNumbers.of(usage).usage()
                    : null;
        } catch (Throwable fault) {
            meter.fault(READING, fault);
            return null;
        }
    }

    private static long output(Frame frame, @Nullable Object answer) {
        return answer instanceof Response<?> response && response.content() instanceof String text
                ? frame.output().add(text)
                : 0;
    }

    /** What a decorator's own answer still has of the model's. */
    private static List<Object> parts(@Nullable Object answer) {
        List<Object> parts = new ArrayList<>();
        for (Object part : new @Nullable Object[] {answer, CONTENT.get(answer)}) {
            if (part != null && !isShared(part)) {
                parts.add(part);
            }
        }
        return parts.stream().filter(Objects::nonNull).toList();
    }

    /** Whether other answers may have the same object. */
    private static boolean isShared(Object part) {
        return part instanceof String
                || part instanceof Number
                || part instanceof Boolean
                || part instanceof Enum<?>
                || (part instanceof Collection<?> values && values.isEmpty());
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
        meter.fault("listening to a streamed completion of LangChain4j", fault);
        meter.unmetered();
        frame.fail(Failure.REJECTED, 0);
    }

    void fault(String where, Throwable fault) {
        meter.fault(where, fault);
    }

    Failure failure(Throwable thrown) {
        return failure(thrown, Failures::of);
    }

    /** How a stream failed that said so when it had begun. */
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
}
