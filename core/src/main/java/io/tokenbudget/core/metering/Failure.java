package io.tokenbudget.core.metering;

import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** How a call failed, by what the provider may have billed for it. */
public enum Failure {
    /** The provider answered with an error, or was never reached: it bills nothing. */
    REJECTED,
    /** The request was sent and no answer came in time, or was no longer waited for: it may be billed. */
    TIMEOUT,
    /** The answer began and broke off: what came is billed. */
    CUT_STREAM,
    /** An answer came and could not be used: it is billed. */
    UNUSABLE_ANSWER;

    /**
     * What the JDK's own exceptions say, anywhere in the chain of causes; null if they say nothing. Frameworks' own
     * exceptions are for their integrations to know.
     */
    public static @Nullable Failure ofCauses(Throwable thrown) {
        for (Throwable cause : Causes.of(thrown)) {
            if (cause instanceof ConnectException
                    || cause instanceof UnknownHostException
                    || cause instanceof NoRouteToHostException
                    || cause instanceof HttpConnectTimeoutException) {
                return REJECTED;
            }
            if (cause instanceof HttpTimeoutException || cause instanceof TimeoutException) {
                return TIMEOUT;
            }
            if (cause instanceof SocketTimeoutException) {
                String message = cause.getMessage();
                // The JDK and OkHttp use one type for "could not connect in time" and "no answer in time".
                boolean connecting = message != null
                        && message.toLowerCase(java.util.Locale.ROOT).contains("connect");
                return connecting ? REJECTED : TIMEOUT;
            }
            if (cause instanceof InterruptedException
                    || cause instanceof InterruptedIOException
                    || cause instanceof CancellationException) {
                // The application stopped waiting, or OkHttp's limit on the whole call passed: the provider goes on.
                return TIMEOUT;
            }
        }
        return null;
    }
}
