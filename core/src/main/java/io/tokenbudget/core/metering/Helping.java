package io.tokenbudget.core.metering;

import java.util.concurrent.ForkJoinWorkerThread;

/**
 * Whether a thread that waits runs tasks of others meanwhile. A worker of a {@code ForkJoinPool} that waits for a
 * {@code CompletableFuture}, as the JDK's HTTP client does inside of a blocking call, takes up asynchronous tasks that wait in
 * its own queue: on its stack they stand above the call, but they are no part of it, and another caller's.
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
