package io.tokenbudget;

import java.util.concurrent.ForkJoinWorkerThread;

/**
 * Whether a thread that waits runs tasks of others meanwhile, as a worker of a {@code ForkJoinPool} does that waits for a
 * {@code CompletableFuture}. On its stack they stand above what it waits in, but they are no part of it.
 *
 * <p>A copy of the one in {@code core}, which applications of this module alone do not have.
 */
final class Helping {
    private static final String POOL = "java.util.concurrent.ForkJoinPool";
    private static final String HELPS = "helpAsyncBlocker";

    private Helping() {}

    /** How many tasks deep this thread is in helping: 0 for every thread that does not help. */
    static int depth() {
        return Thread.currentThread() instanceof ForkJoinWorkerThread
                ? StackWalker.getInstance()
                        .walk(frames -> (int) frames.filter(Helping::helps).count())
                : 0;
    }

    private static boolean helps(StackWalker.StackFrame frame) {
        return frame.getMethodName().equals(HELPS) && frame.getClassName().startsWith(POOL);
    }
}
