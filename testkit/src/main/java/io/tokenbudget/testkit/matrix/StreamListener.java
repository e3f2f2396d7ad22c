package io.tokenbudget.testkit.matrix;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The application that a stream is for: it remembers what it sees, and may do something at one of the pieces. An
 * integration tells it everything that the framework tells a handler or a subscriber. Thread-safe.
 */
public final class StreamListener {
    private static final int AT_THE_END = -1;
    private static final int NEVER = -2;
    private static final long PATIENCE_SECONDS = 20;

    /** How many pieces it has seen when it acts. */
    private final int when;

    private final Consumer<Runnable> act;
    private final boolean leaves;
    private final List<String> pieces = new ArrayList<>();
    private final List<Seen.End> ends = new ArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private @Nullable Thread teller;

    private StreamListener(int when, boolean leaves, Consumer<Runnable> act) {
        this.when = when;
        this.leaves = leaves;
        this.act = act;
    }

    /** Listens to the end. */
    public static StreamListener toTheEnd() {
        return new StreamListener(NEVER, false, cancel -> {});
    }

    /** Calls {@code act} inside the callback of one piece, with what cancels the stream, and listens on. */
    public static StreamListener actingAfter(int pieces, Consumer<Runnable> act) {
        return new StreamListener(pieces, false, act);
    }

    /** The same, and is not interested in what comes then. */
    public static StreamListener leavingAfter(int pieces, Consumer<Runnable> act) {
        return new StreamListener(pieces, true, act);
    }

    /** Calls {@code act} when it is told that the answer is complete. */
    public static StreamListener actingAtTheEnd(Runnable act) {
        return new StreamListener(AT_THE_END, false, cancel -> act.run());
    }

    /** How many pieces it wants before it leaves, such as 0; below 0 if it does not leave. */
    public int leavesAfter() {
        return leaves ? when : NEVER;
    }

    /**
     * A piece of the answer.
     *
     * @param cancel ends the stream; null where the framework has nothing to do so
     */
    public void piece(@Nullable String text, @Nullable Runnable cancel) {
        boolean now;
        synchronized (this) {
            teller = Thread.currentThread();
            pieces.add(String.valueOf(text));
            notifyAll();
            now = pieces.size() == when;
        }
        if (now) {
            act(cancel);
        }
    }

    /** The subscription, where there is one before the first piece. */
    public void begun(Runnable cancel) {
        if (when == 0) {
            act(cancel);
        }
    }

    private void act(@Nullable Runnable cancel) {
        try {
            act.accept(
                    cancel == null
                            ? () -> {
                                throw new IllegalStateException("nothing to cancel by");
                            }
                            : cancel);
        } finally {
            if (leaves) {
                over.countDown();
            }
        }
    }

    /** The answer is complete. */
    public void completed(@Nullable String text) {
        end(new Seen.End("completed", String.valueOf(text)));
        if (when == AT_THE_END) {
            act.accept(() -> {});
        }
    }

    /** The stream has failed. */
    public void failed(Throwable error) {
        StringBuilder types = new StringBuilder("failed");
        for (Throwable cause = error; cause != null && types.length() < 1000; cause = cause.getCause()) {
            types.append(' ').append(cause.getClass().getName());
        }
        end(new Seen.End(types.toString(), Outcome.chain(error)));
    }

    private void end(Seen.End end) {
        synchronized (this) {
            teller = Thread.currentThread();
            ends.add(end);
        }
        over.countDown();
    }

    /** Waits for the first end, or until the application has left. */
    public void await() throws InterruptedException {
        if (!over.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the stream goes on, or ended without a word: " + seen());
        }
    }

    /** Waits for the first {@code number} pieces. */
    synchronized void awaitPieces(int number) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (pieces.size() < number) {
            long millis = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (millis <= 0) {
                throw new IllegalStateException("only " + seen());
            }
            wait(millis);
        }
    }

    /** The thread of the last signal; null if there was none. */
    synchronized @Nullable Thread teller() {
        return teller;
    }

    /** What it has seen up to now. */
    public synchronized Seen seen() {
        return new Seen(pieces, ends);
    }
}
