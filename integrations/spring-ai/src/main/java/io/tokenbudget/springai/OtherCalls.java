package io.tokenbudget.springai;

import io.tokenbudget.Usage;
import io.tokenbudget.core.estimates.RequestTokens;
import io.tokenbudget.core.metering.CallKind;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Failure;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.core.metering.ModelCall;
import io.tokenbudget.core.metering.Run;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.model.ModelRequest;
import org.springframework.ai.model.ModelResponse;
import org.springframework.ai.model.ModelResult;

/**
 * Meters what is no chat: embeddings, images, moderation and audio.
 *
 * <p>Held is the estimate of all text in the request; booked is the usage that the answer reports, or what was held where it
 * reports none.
 *
 * <p>Thread-safe. No method throws.
 */
public final class OtherCalls {
    private static final Getter OPTIONS = new Getter("getOptions");
    private static final Getter DEFAULT_OPTIONS = new Getter("getDefaultOptions");
    private static final Getter MODEL = new Getter("getModel");
    private static final Getter N = new Getter("getN");
    private static final Getter TEXT = new Getter("getText");
    private static final Getter METADATA = new Getter("getMetadata");
    private static final Getter USAGE = new Getter("getUsage");
    private static final Getter TOKENS = new Getter("tokens");
    private static final Getter INPUT_TOKENS = new Getter("inputTokens");
    private static final Getter OUTPUT_TOKENS = new Getter("outputTokens");

    private final CallMeter meter;

    /** @param meter books the calls */
    public OtherCalls(CallMeter meter) {
        this.meter = meter;
    }

    /**
     * Opens a frame around a call. If it has a refusal, the call must not be made.
     *
     * @param request Spring AI's request, or a text, a document or a list of them; null if nothing is known of it
     */
    public Frame open(Object model, CallKind kind, @Nullable Object request) {
        Frame frame = meter.open(model, kind, () -> estimate(model, kind, request));
        frame.attach(new Observed());
        return frame;
    }

    /**
     * Opens a subscription to what a model streams. If it has a refusal, the model must not be subscribed to.
     *
     * @param run the run it belongs to, as far as it is known
     * @param around the stream that it is part of, or null
     */
    <T> StreamedAnswer<T> openStream(
            Object model, CallKind kind, @Nullable Object request, @Nullable Run run, @Nullable OtherStream<?> around) {
        Frame within = around == null ? null : around.frame();
        return new OtherStream<>(
                this, meter.openStream(model, kind, () -> estimate(model, kind, request), run, within));
    }

    private ModelCall estimate(Object model, CallKind kind, @Nullable Object request) {
        String name = modelName(model, request);
        long input = Math.max(1, tokens(meter.tokens(name), instructions(request)));
        return kind == CallKind.IMAGE
                ? ModelCall.ofImages(name, input, images(model, request))
                : ModelCall.withoutOutput(name, input);
    }

    private static int images(Object model, @Nullable Object request) {
        for (Object options : optionsOf(model, request)) {
            if (N.get(options) instanceof Integer number && number > 0) {
                return number;
            }
        }
        return 1;
    }

    /** Ends the frame with the answer or what was thrown instead; at most one of them is not null. */
    public void close(Frame frame, @Nullable Object answer, @Nullable Throwable thrown) {
        Observed observed = frame.attachment() instanceof Observed known ? known : new Observed();
        Object came = thrown == null ? answer : observed.answer(ModelResponse.class);
        if (thrown == null) {
            frame.succeedWith(usage(came), 0, parts(came));
        } else if (came != null) {
            frame.succeedWith(usage(came), 0, List.of(came, thrown));
        } else {
            frame.fail(failure(observed.failure(thrown)), 0, thrown);
        }
    }

    /**
     * What a decorator's own answer may still have of the model's: the response, what it results in and what it says of its
     * usage. Numbers and texts are no answer's own, and an empty array may be that of many.
     */
    List<Object> parts(@Nullable Object answer) {
        List<Object> parts = new ArrayList<>(4);
        try {
            addParts(answer, parts);
        } catch (Throwable fault) {
            meter.fault("reading an answer of Spring AI", fault);
        }
        return parts;
    }

    private static void addParts(@Nullable Object answer, List<Object> parts) {
        if (answer instanceof Collection<?> several && !several.isEmpty()) {
            addParts(several.iterator().next(), parts);
        } else if (answer instanceof ModelResponse<?> response) {
            parts.add(response);
            Object usage = USAGE.get(METADATA.get(response));
            if (usage instanceof org.springframework.ai.chat.metadata.Usage told
                    && !Counts.of(told).isEmpty()) {
                parts.add(usage);
            }
            addParts(response.getResults(), parts);
        } else if (answer instanceof ModelResult<?> result) {
            parts.add(result);
            addParts(result.getOutput(), parts);
        } else if (answer != null && isOneAnswersOwn(answer)) {
            parts.add(answer);
        }
    }

    private static boolean isOneAnswersOwn(Object output) {
        boolean shared = output instanceof CharSequence
                || output instanceof Number
                || output instanceof Boolean
                || output instanceof Collection<?>
                || (output.getClass().isArray() && Array.getLength(output) == 0);
        return !shared;
    }

    private static @Nullable Object instructions(@Nullable Object request) {
        return request instanceof ModelRequest<?> known ? known.getInstructions() : request;
    }

    private static long tokens(RequestTokens counter, @Nullable Object value) {
        if (value instanceof CharSequence text) {
            return counter.text(text);
        }
        if (value instanceof Collection<?> values) {
            long tokens = 0;
            for (Object each : values) {
                tokens += tokens(counter, each);
            }
            return tokens;
        }
        return TEXT.get(value) instanceof String text ? counter.text(text) : 0;
    }

    private static @Nullable String modelName(Object model, @Nullable Object request) {
        for (Object options : optionsOf(model, request)) {
            if (MODEL.get(options) instanceof String name && !name.isBlank()) {
                return name;
            }
        }
        return null;
    }

    /** Of the request, of the model, and of the fields that hide a model's: the nearest first. */
    private static @Nullable Object[] optionsOf(Object model, @Nullable Object request) {
        Object own = OPTIONS.existsIn(model.getClass()) ? OPTIONS.get(model) : DEFAULT_OPTIONS.get(model);
        return new @Nullable Object[] {OPTIONS.get(request), own, OwnOptions.of(model)};
    }

    @Nullable
    Usage usage(@Nullable Object answer) {
        try {
            Object reported = USAGE.get(METADATA.get(answer));
            if (reported instanceof org.springframework.ai.chat.metadata.Usage usage) {
                Counts counts = Counts.of(usage);
                return counts.isEmpty() ? null : NativeUsage.translate(counts, usage, null);
            }
            return ofSdk(TOKENS.get(reported));
        } catch (Throwable fault) {
            meter.fault("reading the usage of a Spring AI answer", fault);
            return null;
        }
    }

    /** What 2.0 hands on as OpenAI's SDK has it: a transcription's usage, unless that is told in seconds. */
    private static @Nullable Usage ofSdk(@Nullable Object tokens) {
        Long input = INPUT_TOKENS.number(tokens);
        Long output = OUTPUT_TOKENS.number(tokens);
        if (input == null || output == null || input < 0 || output < 0 || input + output == 0) {
            return null;
        }
        return Usage.of(input, output);
    }

    Failure failure(Throwable thrown) {
        try {
            return Failures.of(thrown);
        } catch (Throwable fault) {
            meter.fault("reading a failure of Spring AI", fault);
            return Failure.REJECTED;
        }
    }
}
