package io.tokenbudget.springai;

import io.tokenbudget.core.metering.Causes;
import io.tokenbudget.core.metering.Failure;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * What an exception out of a Spring AI model says about the bill. Types are known by name, through superclasses and
 * causes, so that no provider's module and no HTTP client needs to be there.
 */
final class Failures {

    /** The provider answered with an error status, or the call was refused before it was made. */
    private static final Set<String> ANSWERED = Set.of(
            "io.tokenbudget.LimitExceededException",
            "org.springframework.ai.retry.NonTransientAiException",
            "org.springframework.ai.retry.TransientAiException",
            "org.springframework.web.client.RestClientResponseException",
            "org.springframework.web.reactive.function.client.WebClientResponseException",
            "com.openai.errors.OpenAIServiceException",
            "com.anthropic.errors.AnthropicServiceException");

    /** No answer came, or one that could not be read. */
    private static final Map<String, Failure> UNREADABLE = Map.ofEntries(
            Map.entry("io.netty.handler.timeout.TimeoutException", Failure.TIMEOUT),
            Map.entry("com.fasterxml.jackson.core.JsonProcessingException", Failure.UNUSABLE_ANSWER),
            Map.entry("tools.jackson.core.JacksonException", Failure.UNUSABLE_ANSWER),
            Map.entry("org.springframework.core.codec.DecodingException", Failure.UNUSABLE_ANSWER),
            Map.entry("org.springframework.http.converter.HttpMessageNotReadableException", Failure.UNUSABLE_ANSWER),
            Map.entry("org.springframework.web.client.UnknownContentTypeException", Failure.UNUSABLE_ANSWER),
            Map.entry("com.openai.errors.OpenAIInvalidDataException", Failure.UNUSABLE_ANSWER),
            Map.entry("com.anthropic.errors.AnthropicInvalidDataException", Failure.UNUSABLE_ANSWER),
            Map.entry("java.lang.NullPointerException", Failure.UNUSABLE_ANSWER),
            Map.entry("java.lang.IndexOutOfBoundsException", Failure.UNUSABLE_ANSWER));

    private static final Getter STATUS = new Getter("getStatusCode");
    private static final Getter STATUS_OF_SDK = new Getter("statusCode");
    private static final Getter VALUE = new Getter("value");

    private Failures() {}

    /** How a call failed that ended with {@code thrown}; {@link Failure#REJECTED} if nothing speaks for a bill. */
    static Failure of(Throwable thrown) {
        Failure failure = read(thrown);
        if (failure != Failure.REJECTED || named(thrown, ANSWERED) != null) {
            return failure;
        }
        // What a listener throws takes the place of what it was told, which Reactor then keeps beside it.
        for (Throwable beside : thrown.getSuppressed()) {
            failure = failure == Failure.REJECTED ? read(beside) : failure;
        }
        return failure;
    }

    private static Failure read(Throwable thrown) {
        Throwable answer = named(thrown, ANSWERED);
        // A stream that has begun well may still break, or tell of an error.
        boolean begunWell = answer != null && hasGoodStatus(answer);
        if ((answer != null && !begunWell) || isThrownMakingTheRequest(thrown)) {
            return Failure.REJECTED;
        }
        Failure ofCauses = Failure.ofCauses(thrown);
        if (ofCauses != null) {
            return ofCauses;
        }
        Failure ofConnection = ofConnection(thrown);
        if (ofConnection != null) {
            return ofConnection;
        }
        Throwable unreadable = named(thrown, UNREADABLE.keySet());
        if (unreadable != null) {
            return failureOf(unreadable);
        }
        return begunWell ? Failure.CUT_STREAM : Failure.REJECTED;
    }

    /**
     * Whether nothing was sent: {@code createRequest}, {@code createGeminiRequest}, {@code ollamaChatRequest} and the like, which
     * read what a tool has answered, and media.
     */
    private static boolean isThrownMakingTheRequest(Throwable thrown) {
        for (Throwable cause : Causes.of(thrown)) {
            if (cause instanceof VirtualMachineError) {
                continue;
            }
            for (StackTraceElement frame : cause.getStackTrace()) {
                if (frame.getClassName().startsWith("org.springframework.ai.") && makesRequest(frame.getMethodName())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean makesRequest(String method) {
        return method.endsWith("Request")
                || method.startsWith("lambda$create")
                || method.startsWith("lambda$ollamaChatRequest")
                || method.startsWith("buildRequest")
                || method.equals("fromSpringAiMessage");
    }

    private static boolean hasGoodStatus(Throwable answer) {
        Long status = STATUS_OF_SDK.number(answer);
        if (status == null) {
            status = VALUE.number(STATUS.get(answer));
        }
        return status != null && status >= 200 && status < 300;
    }

    private static Failure failureOf(Throwable unreadable) {
        for (Class<?> type = unreadable.getClass(); type != null; type = type.getSuperclass()) {
            Failure failure = UNREADABLE.get(type.getName());
            if (failure != null) {
                return failure;
            }
        }
        return Failure.REJECTED;
    }

    /** The outermost of {@code thrown} and its causes that is of one of these types. */
    private static @Nullable Throwable named(Throwable thrown, Set<String> names) {
        for (Throwable cause : Causes.of(thrown)) {
            for (Class<?> type = cause.getClass(); type != null; type = type.getSuperclass()) {
                if (names.contains(type.getName())) {
                    return cause;
                }
            }
        }
        return null;
    }

    /** A connection that was made and broke may have carried the request; one that failed its handshake has not. */
    private static @Nullable Failure ofConnection(Throwable thrown) {
        Failure failure = null;
        for (Throwable cause : Causes.of(thrown)) {
            if (cause instanceof SSLHandshakeException) {
                return Failure.REJECTED;
            }
            // Jackson 2 counts a text that is no JSON among I/O exceptions.
            if (cause instanceof IOException && !cause.getClass().getName().startsWith("com.fasterxml.jackson.")) {
                failure = Failure.CUT_STREAM;
            }
        }
        return failure;
    }
}
