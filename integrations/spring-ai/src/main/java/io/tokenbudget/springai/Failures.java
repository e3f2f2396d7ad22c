package io.tokenbudget.springai;

import io.tokenbudget.core.metering.Failure;
import java.io.IOException;
import java.util.Map;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * What an exception out of a Spring AI model says about the bill. Types are known by name, through superclasses and
 * causes, so that no provider's module and no HTTP client needs to be there.
 */
final class Failures {
    private static final int DEEPEST_CAUSE = 32;

    /** The provider answered with an error status, or the call was refused before it was made. */
    private static final Map<String, Failure> ANSWERED = Map.of(
            "io.tokenbudget.LimitExceededException", Failure.REJECTED,
            "org.springframework.ai.retry.NonTransientAiException", Failure.REJECTED,
            "org.springframework.ai.retry.TransientAiException", Failure.REJECTED,
            "org.springframework.web.client.RestClientResponseException", Failure.REJECTED,
            "org.springframework.web.reactive.function.client.WebClientResponseException", Failure.REJECTED,
            "com.openai.errors.OpenAIServiceException", Failure.REJECTED,
            "com.anthropic.errors.AnthropicServiceException", Failure.REJECTED);

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

    private Failures() {}

    /** How a call failed that ended with {@code thrown}; {@link Failure#REJECTED} if nothing speaks for a bill. */
    static Failure of(Throwable thrown) {
        Failure answered = named(thrown, ANSWERED);
        if (answered != null) {
            return answered;
        }
        Failure ofCauses = Failure.ofCauses(thrown);
        if (ofCauses != null) {
            return ofCauses;
        }
        Failure ofConnection = ofConnection(thrown);
        if (ofConnection != null) {
            return ofConnection;
        }
        Failure unreadable = named(thrown, UNREADABLE);
        return unreadable != null ? unreadable : Failure.REJECTED;
    }

    private static @Nullable Failure named(Throwable thrown, Map<String, Failure> names) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            for (Class<?> type = cause.getClass(); type != null; type = type.getSuperclass()) {
                Failure failure = names.get(type.getName());
                if (failure != null) {
                    return failure;
                }
            }
            cause = cause.getCause();
        }
        return null;
    }

    /** A connection that was made and broke may have carried the request; one that failed its handshake has not. */
    private static @Nullable Failure ofConnection(Throwable thrown) {
        Failure failure = null;
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof SSLHandshakeException) {
                return Failure.REJECTED;
            }
            // Jackson 2 counts a text that is no JSON among I/O exceptions.
            if (cause instanceof IOException && !cause.getClass().getName().startsWith("com.fasterxml.jackson.")) {
                failure = Failure.CUT_STREAM;
            }
            cause = cause.getCause();
        }
        return failure;
    }
}
