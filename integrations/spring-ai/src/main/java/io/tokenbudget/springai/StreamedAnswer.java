package io.tokenbudget.springai;

import org.jspecify.annotations.Nullable;

/**
 * One subscription to what a model streams, being metered: what stands between the two is told here what passes. No method
 * throws.
 *
 * @param <T> what flows
 */
interface StreamedAnswer<T> {
    /** Where in the Reactor context this is found by what the model subscribes to. */
    String key();

    /** What the application gets instead of what would come, or null. */
    @Nullable
    RuntimeException refusal();

    /** The method that subscribes has returned: on its thread. */
    void subscribed();

    /** The application's code runs next, perhaps on the thread that still subscribes. */
    void handOn();

    /** Counts a chunk. Not null: no more can be held, so the stream must be cut and this is what the application gets. */
    @Nullable
    RuntimeException emitted(T chunk);

    void completed();

    void failed(Throwable thrown);

    void cancelled();
}
