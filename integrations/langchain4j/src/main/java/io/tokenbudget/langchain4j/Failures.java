package io.tokenbudget.langchain4j;

import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.LangChain4jException;
import dev.langchain4j.exception.TimeoutException;
import io.tokenbudget.core.metering.Causes;
import io.tokenbudget.core.metering.Failure;
import java.io.IOException;
import java.util.NoSuchElementException;
import java.util.function.Function;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * What the provider may have billed for a call that threw, by the exceptions of LangChain4j and of what it is built on.
 *
 * <p>What says nothing is taken for thrown before anything was sent: nothing is booked.
 */
final class Failures {
    private static final String FRAMEWORK = "dev.langchain4j.";
    private static final String REFUSAL = "io.tokenbudget.LimitExceededException";

    /** Since LangChain4j 1.2. */
    private static final String CONTENT_FILTERED = "dev.langchain4j.exception.ContentFilteredException";

    private Failures() {}

    static Failure of(Throwable thrown) {
        Failure said = said(thrown);
        return said == null ? Failure.REJECTED : said;
    }

    /** The same, of an error that a stream signals after it has begun: what says nothing is thrown by what it reads. */
    static Failure ofStream(Throwable signalled) {
        Failure said = said(signalled);
        return said == null ? Failure.CUT_STREAM : said;
    }

    private static @Nullable Failure said(Throwable thrown) {
        Failure answered = first(thrown, Failures::ofAnswer);
        if (answered != null) {
            return answered;
        }
        Failure jdk = Failure.ofCauses(thrown);
        if (jdk != null) {
            return jdk;
        }
        return first(thrown, Failures::ofKind);
    }

    private static @Nullable Failure first(Throwable thrown, Function<Throwable, @Nullable Failure> says) {
        for (Throwable cause : Causes.of(thrown)) {
            Failure failure = says.apply(cause);
            if (failure != null) {
                return failure;
            }
        }
        return null;
    }

    /** An HTTP status, whatever it was mapped to, a refusal of ours further in, or a filter that took the answer away. */
    private static @Nullable Failure ofAnswer(Throwable thrown) {
        if (thrown instanceof HttpException || is(thrown, REFUSAL)) {
            return Failure.REJECTED;
        }
        return is(thrown, CONTENT_FILTERED) ? Failure.UNUSABLE_ANSWER : null;
    }

    private static @Nullable Failure ofKind(Throwable thrown) {
        if (thrown instanceof TimeoutException || thrown instanceof InterruptedException) {
            return Failure.TIMEOUT;
        }
        if (thrown instanceof InternalServerException && thrown.getCause() == null) {
            // An error status is always its cause; without one, LangChain4j itself found no choices in an answer
            // (1.19).
            return isThrownByLangChain4j(thrown) ? Failure.UNUSABLE_ANSWER : Failure.REJECTED;
        }
        if (thrown instanceof LangChain4jException
                && thrown.getClass() != LangChain4jException.class
                && thrown.getClass().getPackage() == LangChain4jException.class.getPackage()) {
            // Those that providers' clients have of their own, for events that tell of an error, say nothing.
            return Failure.REJECTED;
        }
        if (isOfJson(thrown)) {
            return isOfWritingJson(thrown) ? Failure.REJECTED : Failure.UNUSABLE_ANSWER;
        }
        if (thrown instanceof SSLHandshakeException || thrown instanceof SSLPeerUnverifiedException) {
            return Failure.REJECTED;
        }
        if (thrown instanceof IOException) {
            return Failure.CUT_STREAM;
        }
        if (thrown instanceof NullPointerException
                || thrown instanceof IndexOutOfBoundsException
                || thrown instanceof NoSuchElementException
                || thrown instanceof ClassCastException) {
            return isThrownMakingTheRequest(thrown) ? null : Failure.UNUSABLE_ANSWER;
        }
        return isThrownReadingAnAnswer(thrown) ? Failure.UNUSABLE_ANSWER : null;
    }

    private static boolean is(Throwable thrown, String type) {
        for (Class<?> c = thrown.getClass(); c != null; c = c.getSuperclass()) {
            if (c.getName().equals(type)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfJson(Throwable thrown) {
        String type = thrown.getClass().getName();
        return type.startsWith("com.fasterxml.jackson.")
                || type.startsWith("tools.jackson.")
                || type.startsWith("com.google.gson.");
    }

    private static boolean isOfWritingJson(Throwable thrown) {
        String type = thrown.getClass().getSimpleName();
        return type.equals("InvalidDefinitionException")
                || type.equals("JsonGenerationException")
                || type.equals("StreamWriteException");
    }

    private static boolean isThrownByLangChain4j(Throwable thrown) {
        StackTraceElement[] frames = thrown.getStackTrace();
        return frames.length > 0 && frames[0].getClassName().startsWith(FRAMEWORK);
    }

    /** {@code OpenAiUtils.toOpenAiChatRequest}, {@code createAnthropicRequest}, {@code validate} and the like. */
    private static boolean isThrownMakingTheRequest(Throwable thrown) {
        return isThrownBelowModelIn(
                thrown,
                method -> method.startsWith("validate")
                        || (method.contains("Request") && !method.contains("ToolExecutionRequest")));
    }

    /** {@code OpenAiUtils.aiMessageFrom}, {@code toAiMessage}, {@code tokenUsageFrom}, {@code parseResponse} and the like. */
    private static boolean isThrownReadingAnAnswer(Throwable thrown) {
        return isThrownBelowModelIn(
                thrown,
                method -> method.contains("iMessageFrom")
                        || method.endsWith("AiMessage")
                        || method.startsWith("tokenUsage")
                        || method.startsWith("finishReason")
                        || method.contains("Response"));
    }

    private static boolean isThrownBelowModelIn(Throwable thrown, Function<String, Boolean> method) {
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (frame.getMethodName().equals("doChat") || frame.getMethodName().equals("chat")) {
                return false;
            }
            if (frame.getClassName().startsWith(FRAMEWORK) && method.apply(frame.getMethodName())) {
                return true;
            }
        }
        return false;
    }

    /** Whether {@code searched} is {@code error} or among its causes. */
    static boolean isCausedBy(Throwable error, Throwable searched) {
        return Causes.of(error).stream().anyMatch(cause -> cause == searched);
    }
}
