package io.tokenbudget.testkit.matrix;

import java.util.function.Supplier;

/** How an integration streams, and how its streams are listened to. */
abstract class StreamedCalls<M> extends CommonRows<M> {
    /** Asks the model. Tells {@code listener} all that the framework tells, and may return before the stream has ended. */
    protected abstract void stream(M model, String question, StreamListener listener);

    /** The same, through the framework's tool loop, with one tool that takes one string. */
    protected abstract void streamWithTool(M model, String question, Supplier<String> tool, StreamListener listener);

    /**
     * Returns when no more signal can come of a stream that has ended: where the framework may signal more than one end.
     *
     * @param teller the thread of the last signal
     */
    protected void awaitRest(Thread teller) throws InterruptedException {}

    /**
     * Lets the application end a stream inside a callback.
     *
     * @param cancel what the framework has for it; throws where it has nothing
     */
    protected void leave(Runnable cancel) {
        cancel.run();
    }

    /** Whether a stream can be ended from another thread than that of its callbacks. */
    protected boolean leavesFromAnyThread() {
        return true;
    }

    /** Whether the framework gives a bound on output to calls whose application gives none. */
    protected boolean boundsEveryCall() {
        return false;
    }

    /** After how many pieces an application can leave: 0, where it is given something to cancel by before the first. */
    protected int leavesEarliestAfter() {
        return 1;
    }

    /** How many pieces that have come the framework keeps until the next ones come, or the end. */
    protected int piecesHeldBack() {
        return 0;
    }

    /**
     * Whether a connection is closed as soon as the application leaves. If not, it is when the next piece comes: then the
     * application leaves streams that flow on, and what the framework has read ahead is booked too.
     */
    protected boolean closesSilentStreams() {
        return true;
    }

    /** The same, where the application leaves outside of a callback. */
    protected boolean closesSilentStreamsAtAnyTime() {
        return closesSilentStreams();
    }

    /** Whether a framework that is cancelled while pieces flow closes the connection each time. */
    protected boolean tellsTheProviderForSure() {
        return true;
    }

    /** Whether the framework may drop pieces, as luck has it, where a long answer comes faster than it is taken. */
    protected boolean losesPiecesOfFastStreams() {
        return false;
    }

    @Override
    String kind() {
        return "-streamed";
    }

    @Override
    final Outcome sees(M model, String question) {
        return saw(model, question).outcome();
    }

    @Override
    final Outcome seesWithTool(M model, Supplier<String> tool) {
        return sawWithTool(model, tool).outcome();
    }

    final Seen saw(M model) {
        return saw(model, QUESTION);
    }

    final Seen saw(M model, String question) {
        StreamListener listener = StreamListener.toTheEnd();
        stream(model, question, listener);
        return await(listener);
    }

    final Seen saw(M model, StreamListener listener) {
        stream(model, QUESTION, listener);
        return await(listener);
    }

    final Seen sawWithTool(M model, Supplier<String> tool) {
        StreamListener listener = StreamListener.toTheEnd();
        streamWithTool(model, QUESTION, tool, listener);
        return await(listener);
    }

    final Seen await(StreamListener listener) {
        return await(listener, listener::await);
    }

    /** What it has seen when {@code event} has come and the stream has nothing more to say. */
    final Seen await(StreamListener listener, Wait event) {
        try {
            event.await();
            Thread teller = listener.teller();
            if (teller != null && teller != Thread.currentThread()) {
                awaitRest(teller);
            }
            return listener.seen();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** A wait for something. */
    interface Wait {
        void await() throws InterruptedException;
    }
}
