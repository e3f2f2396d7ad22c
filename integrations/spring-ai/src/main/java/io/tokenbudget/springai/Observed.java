package io.tokenbudget.springai;

import org.jspecify.annotations.Nullable;

/**
 * What Spring AI has told its observation of a call, or of the present round of one. A listener of the application's that
 * throws takes the place of the answer, and of what the model threw; here they still are.
 *
 * <p>Not thread-safe: owned by the thread of its frame.
 */
final class Observed {
    private static final Getter RESPONSE = new Getter("getResponse");
    private static final Getter ERROR = new Getter("getError");

    private @Nullable Object context;

    /** The call is observed with {@code context}, which is told how it ends. */
    void in(Object context) {
        this.context = context;
    }

    /** What comes is another round. */
    void nextRound() {
        context = null;
    }

    /** The answer that came although the call has failed, or null. */
    <T> @Nullable T answer(Class<T> type) {
        Object response = context == null ? null : RESPONSE.get(context);
        return type.isInstance(response) ? type.cast(response) : null;
    }

    /** What the model threw before {@code thrown} took its place. */
    Throwable failure(Throwable thrown) {
        return context != null && ERROR.get(context) instanceof Throwable first ? first : thrown;
    }
}
