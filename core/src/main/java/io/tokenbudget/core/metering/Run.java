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

    /** The same object wherever the run goes. */
    private final Object identity;

    /** How deep in helping others the thread is that works for it: see {@link Helping}. */
    final int helping;

    /** What the thread worked for before, which goes on when it has ended there; or null. */
    final @Nullable Run interrupted;

    /**
     * @param begunWith what the application had opened on the thread when the run began
     * @param context the same completed from the configured sources
     */
    Run(BudgetContext begunWith, BudgetContext context) {
        this(begunWith, context, new Object(), 0, null);
    }

    private Run(
            BudgetContext begunWith, BudgetContext context, Object identity, int helping, @Nullable Run interrupted) {
        this.begunWith = begunWith;
        this.context = context;
        this.identity = identity;
        this.helping = helping;
        this.interrupted = interrupted;
    }

    /** This run from a place on where the application has {@code current} open. */
    Run at(BudgetContext current) {
        BudgetContext there = context(current);
        return there.equals(context) ? this : new Run(BudgetContext.EMPTY, there, identity, helping, interrupted);
    }

    /** This run as a thread works for it. */
    Run onThread(int depth, @Nullable Run before) {
        return depth == helping && before == interrupted ? this : new Run(begunWith, context, identity, depth, before);
    }

    /** Whether both are the same run, wherever each has gone. */
    @SuppressWarnings("ReferenceEquality") // an object made for this
    boolean isSameAs(Run other) {
        return identity == other.identity;
    }

    /** What there is of it for as long as a call of it may come. */
    Object identity() {
        return identity;
    }

    /** Who calls, where the application has opened nothing since. */
    BudgetContext context() {
        return context;
    }

    /** This run for calls that are not the one which its caller has named. */
    Run withoutKey() {
        if (context.idempotencyKey() == null) {
            return this;
        }
        BudgetContext.Builder unnamed = BudgetContext.builder();
        context.dimensions().forEach(unnamed::dimension);
        @Nullable String plan = context.plan();
        BudgetContext others = (plan == null ? unnamed : unnamed.plan(plan)).build();
        return new Run(BudgetContext.EMPTY, others, identity, helping, interrupted);
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
