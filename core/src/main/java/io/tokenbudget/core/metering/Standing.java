package io.tokenbudget.core.metering;

import io.tokenbudget.BudgetContext;
import org.jspecify.annotations.Nullable;

/** Whom a thread worked for at one moment, and what was open on it. Immutable. */
public final class Standing {
    private final Callers callers;
    private final @Nullable Run run;
    private final BudgetContext open;

    Standing(Callers callers, @Nullable Run run, BudgetContext open) {
        this.callers = callers;
        this.run = run;
        this.open = open;
    }

    /** Lets this thread work for the same, in place of whom it works for now, until what is returned is closed on it. */
    public RunScope show() {
        return callers.show(this);
    }

    @Nullable
    Run run() {
        return run;
    }

    BudgetContext open() {
        return open;
    }
}
