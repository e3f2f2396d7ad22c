package io.tokenbudget.core.metering;

import org.jspecify.annotations.Nullable;

/** A thread works for a run until this is closed on it. Not thread-safe; {@link #close} does not throw. */
public final class RunScope implements AutoCloseable {
    private final Callers callers;
    private final @Nullable Run before;
    private final CallerSource.Scope opened;

    RunScope(Callers callers, @Nullable Run before, CallerSource.Scope opened) {
        this.callers = callers;
        this.before = before;
        this.opened = opened;
    }

    @Override
    public void close() {
        callers.hide(before, opened);
    }
}
