package io.tokenbudget.core.metering;

import io.tokenbudget.BudgetContext;
import org.jspecify.annotations.Nullable;

/**
 * One run of an agent: the outermost call that the application makes of a framework, and every model call inside it.
 *
 * <p>Who is calling is taken down once, when the run begins, and holds for all its rounds on whatever thread they run: what
 * a thread of a pool says of itself by then is another caller's. What application code says within the run, by a
 * {@link BudgetContext} of its own, comes before that.
 *
 * <p>Immutable.
 */
public final class Run {
    private final BudgetContext begunWith;
    private final BudgetContext context;

    /**
     * @param begunWith what the application had opened on the thread when the run began
     * @param context the same completed from the configured sources
     */
    Run(BudgetContext begunWith, BudgetContext context) {
        this.begunWith = begunWith;
        this.context = context;
    }

    /** This run from a place on where the application has {@code current} open. */
    Run at(BudgetContext current) {
        BudgetContext there = context(current);
        return there.equals(context) ? this : new Run(BudgetContext.EMPTY, there);
    }

    /** Who calls, where the application has {@code current} open. */
    @SuppressWarnings("ReferenceEquality") // only to save work: an equal one makes an equal result
    BudgetContext context(BudgetContext current) {
        if (current == begunWith || current == BudgetContext.EMPTY) {
            return context;
        }
        BudgetContext.Builder over = context.toBuilder();
        current.dimensions().forEach(over::dimension);
        @Nullable String plan = current.plan();
        if (plan != null) {
            over.plan(plan);
        }
        @Nullable String key = current.idempotencyKey();
        if (key != null) {
            over.idempotencyKey(key);
        }
        return over.build();
    }
}
