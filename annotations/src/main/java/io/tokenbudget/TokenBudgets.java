package io.tokenbudget;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The process's limiter and the context of the current thread.
 *
 * <p>Thread-safe. The installed limiter is the one mutable static of this API, owned by this class and published
 * through a volatile field; the context belongs to its thread.
 */
public final class TokenBudgets {
    private static final ThreadLocal<Open> CURRENT = new ThreadLocal<>();
    private static volatile @Nullable TokenLimiter limiter;

    private TokenBudgets() {}

    /** @param helping how deep in helping others the thread was that opened it */
    private record Open(BudgetContext context, int helping) {}

    /**
     * The process's limiter.
     *
     * @throws IllegalStateException if none is installed
     */
    public static TokenLimiter limiter() {
        TokenLimiter installed = limiter;
        if (installed == null) {
            throw new IllegalStateException("No TokenLimiter is installed: call TokenBudgets.install(...) first, with"
                    + " a limiter from token-budget-core");
        }
        return installed;
    }

    /** Whether the process has a limiter. */
    public static boolean isInstalled() {
        return limiter != null;
    }

    /** Makes {@code newLimiter} the process's limiter, in place of any earlier one. */
    public static void install(TokenLimiter newLimiter) {
        limiter = Objects.requireNonNull(newLimiter, "newLimiter");
    }

    /**
     * The context of the current thread; {@link BudgetContext#EMPTY} if none is open. What a worker of a {@code
     * ForkJoinPool} runs for others while it waits is not in the context of what it waits in.
     */
    public static BudgetContext current() {
        Open open = CURRENT.get();
        return open == null || open.helping != Helping.depth() ? BudgetContext.EMPTY : open.context;
    }

    /**
     * Makes {@code context} the current thread's, until the returned scope is closed on the same thread. What the
     * context does not say is taken from the one around it.
     */
    public static Scope open(BudgetContext context) {
        Open outer = CURRENT.get();
        int helping = Helping.depth();
        BudgetContext merged = outer != null && outer.helping == helping ? outer.context.with(context) : context;
        CURRENT.set(new Open(merged, helping));
        return new Scope(outer);
    }

    /**
     * Makes {@code context} the current thread's in place of what is open, without a scope to close. For carriers that take
     * a context from thread to thread and bring back the one before by themselves; application code calls {@link #open}.
     *
     * @param context {@link BudgetContext#EMPTY} for none
     */
    @SuppressWarnings("ReferenceEquality") // what stands for nothing; others say or carry something
    public static void carry(BudgetContext context) {
        if (context == BudgetContext.EMPTY) {
            CURRENT.remove();
        } else {
            CURRENT.set(new Open(context, Helping.depth()));
        }
    }

    /**
     * Makes {@code context} the current thread's in place of what is open, until the returned scope is closed on the same
     * thread. For those who bring the context of another place along; application code calls {@link #open}.
     *
     * @param context {@link BudgetContext#EMPTY} for none
     */
    public static Scope openInstead(BudgetContext context) {
        Open outer = CURRENT.get();
        CURRENT.set(new Open(context, Helping.depth()));
        return new Scope(outer);
    }

    /** {@code task} so that it runs, on whatever thread, in the context that is open here and now. */
    public static Runnable wrap(Runnable task) {
        Objects.requireNonNull(task, "task");
        BudgetContext context = current();
        return () -> {
            Scope scope = openInstead(context);
            try {
                task.run();
            } finally {
                scope.close();
            }
        };
    }

    /** {@code task} so that it runs, on whatever thread, in the context that is open here and now. */
    public static <T extends @Nullable Object> Callable<T> wrap(Callable<T> task) {
        Objects.requireNonNull(task, "task");
        BudgetContext context = current();
        return () -> {
            Scope scope = openInstead(context);
            try {
                return task.call();
            } finally {
                scope.close();
            }
        };
    }

    /** {@code executor} so that each task runs in the context that is open where it is handed in. */
    public static Executor wrap(Executor executor) {
        Objects.requireNonNull(executor, "executor");
        return task -> executor.execute(wrap(task));
    }

    /** An open context; closing it brings back the one before. Belongs to the thread that opened it. */
    public static final class Scope implements AutoCloseable {
        private final @Nullable Open outer;

        private Scope(@Nullable Open outer) {
            this.outer = outer;
        }

        @Override
        public void close() {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
    }
}
