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

    private final Ceilings ceilings;
    private final @Nullable Object begunBy;

    /** By the {@code mdc:} sources on the thread where it began. */
    private final @Nullable String[] saidAtBegin;

    /** By the same on the thread that was let work for it; null if none was. */
    private final @Nullable String @Nullable [] saidAtEntry;

    /** How deep in helping others the thread is that works for it: see {@link Helping}. */
    final int helping;

    /** Of the innermost frame that was open on the thread when it began to work for this; 0 for none. */
    final long inFrame;

    /** What the thread worked for before, which goes on when it has ended there; or null. */
    final @Nullable Run interrupted;

    /**
     * @param begunWith what the application had opened on the thread when the run began
     * @param context the same completed from the configured sources
     * @param saidAtBegin {@link SaidByThread#now} when the run began
     */
    Run(BudgetContext begunWith, BudgetContext context, @Nullable String[] saidAtBegin) {
        this(begunWith, context, new Object(), Ceilings.NONE, null, saidAtBegin, null, 0, 0, null);
    }

    private Run(
            BudgetContext begunWith,
            BudgetContext context,
            Object identity,
            Ceilings ceilings,
            @Nullable Object begunBy,
            @Nullable String[] saidAtBegin,
            @Nullable String @Nullable [] saidAtEntry,
            int helping,
            long inFrame,
            @Nullable Run interrupted) {
        this.begunWith = begunWith;
        this.context = context;
        this.identity = identity;
        this.ceilings = ceilings;
        this.begunBy = begunBy;
        this.saidAtBegin = saidAtBegin;
        this.saidAtEntry = saidAtEntry;
        this.helping = helping;
        this.inFrame = inFrame;
        this.interrupted = interrupted;
    }

    /** This run from a place on where the application has {@code current} open. */
    Run at(BudgetContext current) {
        BudgetContext there = context(current);
        return there.equals(context)
                ? this
                : new Run(
                        BudgetContext.EMPTY,
                        there,
                        identity,
                        ceilings,
                        begunBy,
                        saidAtBegin,
                        saidAtEntry,
                        helping,
                        inFrame,
                        interrupted);
    }

    /**
     * This run as a thread works for it.
     *
     * @param current what the application has open on the thread, which says nothing of this run
     * @param frame the innermost frame that is open on it
     * @param before what it works for now
     * @param said {@link SaidByThread#now} of a thread that is let work for it; null where that thread began it
     */
    Run onThread(
            BudgetContext current, @Nullable Frame frame, @Nullable Run before, @Nullable String @Nullable [] said) {
        return new Run(
                current,
                context,
                identity,
                ceilings,
                begunBy,
                saidAtBegin,
                said,
                Helping.depth(),
                frame == null ? 0 : frame.number,
                before);
    }

    /**
     * A part of this run with terms of its own, begun where the application has {@code current} open.
     *
     * @param by {@link #begunBy}
     */
    Run within(BudgetContext current, BudgetContext narrower, Ceilings tighter, @Nullable Object by) {
        return new Run(
                current, narrower, identity, tighter, by, saidAtBegin, saidAtEntry, helping, inFrame, interrupted);
    }

    /** What began this run, or this part of it, says of itself; null for nothing. */
    public @Nullable Object begunBy() {
        return begunBy;
    }

    @Nullable
    String[] saidAtBegin() {
        return saidAtBegin;
    }

    @Nullable
    String @Nullable [] saidAtEntry() {
        return saidAtEntry;
    }

    /** Budgets that the configuration does not name. */
    Ceilings ceilings() {
        return ceilings;
    }

    /** What the application had opened where the run, or this part of it, began. */
    BudgetContext begunWith() {
        return begunWith;
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

    /** Who calls, in a context that takes the run along. */
    public BudgetContext carried() {
        return context.toBuilder().run(this).build();
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
        return new Run(
                BudgetContext.EMPTY,
                others,
                identity,
                ceilings,
                begunBy,
                saidAtBegin,
                saidAtEntry,
                helping,
                inFrame,
                interrupted);
    }

    /** Who calls, where the application has {@code current} open. */
    @SuppressWarnings("ReferenceEquality") // only to save work: an equal one makes an equal result
    BudgetContext context(BudgetContext current) {
        if (current == begunWith || current == BudgetContext.EMPTY) {
            return context;
        }
        return context.with(current);
    }
}
