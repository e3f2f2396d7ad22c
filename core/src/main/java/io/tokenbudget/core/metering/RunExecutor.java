package io.tokenbudget.core.metering;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Lets whatever an executor runs work for the run of the thread that handed it in. As thread-safe as the executor, which it
 * is in everything else.
 */
final class RunExecutor implements Executor {
    private final Executor delegate;
    private final Callers callers;

    RunExecutor(Executor delegate, Callers callers) {
        this.delegate = delegate;
        this.callers = callers;
    }

    @Override
    public void execute(Runnable task) {
        delegate.execute(forRun(task));
    }

    private Runnable forRun(Runnable task) {
        Run present = callers.present();
        if (present == null) {
            return task;
        }
        // What runs beside the named call is no repeat of it.
        Run run = present.withoutKey();
        return () -> {
            Run before = callers.enter(run);
            try {
                task.run();
            } finally {
                callers.leave(before);
            }
        };
    }

    /** The same for an executor that is also asked for more. */
    static final class Service extends AbstractExecutorService {
        private final ExecutorService delegate;
        private final RunExecutor executor;

        Service(ExecutorService delegate, Callers callers) {
            this.delegate = delegate;
            this.executor = new RunExecutor(delegate, callers);
        }

        @Override
        public void execute(Runnable task) {
            executor.execute(task);
        }

        @Override
        public void shutdown() {
            delegate.shutdown();
        }

        @Override
        public List<Runnable> shutdownNow() {
            return delegate.shutdownNow();
        }

        @Override
        public boolean isShutdown() {
            return delegate.isShutdown();
        }

        @Override
        public boolean isTerminated() {
            return delegate.isTerminated();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
            return delegate.awaitTermination(timeout, unit);
        }
    }
}
