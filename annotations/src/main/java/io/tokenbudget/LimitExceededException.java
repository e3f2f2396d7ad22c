package io.tokenbudget;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A reservation was refused because a limit has no room for it. Nothing is held, and the model was not called.
 *
 * <p>If several limits refuse, this names the one with the longest wait.
 */
public class LimitExceededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String scope;
    private final String limit;
    private final long requested;
    private final long remaining;
    private final @Nullable Duration retryAfter;
    private final RefusalReason reason;

    /**
     * @param message a sentence a person can act on
     * @param scope the budget that refused
     * @param limit its limit as the configuration writes it, such as {@code 100k tokens per 1h}
     * @param requested what was asked for, in the limit's unit; nano-USD for money
     * @param remaining what the limit has left, in its unit; nano-USD for money
     * @param retryAfter null if waiting does not help
     * @param reason why
     */
    public LimitExceededException(
            String message,
            String scope,
            String limit,
            long requested,
            long remaining,
            @Nullable Duration retryAfter,
            RefusalReason reason) {
        super(message);
        this.scope = scope;
        this.limit = limit;
        this.requested = requested;
        this.remaining = remaining;
        this.retryAfter = retryAfter;
        this.reason = reason;
    }

    /** The budget that refused, such as {@code tenant:acme}. */
    public String scope() {
        return scope;
    }

    /** The limit that refused, as the configuration writes it, such as {@code 100k tokens per 1h}. */
    public String limit() {
        return limit;
    }

    /** What was asked for, in the limit's unit; nano-USD for money, and zero where nobody knows what a call costs. */
    public long requested() {
        return requested;
    }

    /** What the limit has left after what is used and held, in its unit, nano-USD for money; at least zero. */
    public long remaining() {
        return remaining;
    }

    /**
     * The time after which the request fits if no hold ends earlier than it must: waiting exactly that long and trying
     * again succeeds when nobody else came. Of a streamed answer that was cut off, it is the time after which there is
     * room for the next of its tokens, or, where the answer alone was more than the limit, after which all of it has left
     * the limit's window: a new call has no chance before, and may have to wait longer. Null if waiting does not help.
     */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    /** Why it was refused. */
    public RefusalReason reason() {
        return reason;
    }
}
