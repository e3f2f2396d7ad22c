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

    /** The same without what the configured sources have added. */
    private final BudgetContext said;

    private final Beginning beginning;
    private final Ceilings ceilings;
    private final @Nullable Object begunBy;

    /** By the sources of the thread that was let work for it; null if none was. */
    private final @Nullable String @Nullable [] saidAtEntry;

    /** How deep in helping others the thread is that works for it: see {@link Helping}. */
    final int helping;

    /** Of the innermost frame that was open on the thread when it began to work for this; 0 for none. */
    final long inFrame;

    /** What the thread worked for before, which goes on when it has ended there; or null. */
    final @Nullable Run interrupted;

    /**
     * @param begunWith what the application had opened on the thread when the run began
     * @param said who calls, as the application says it
     * @param context the same completed from the configured sources
     * @param beginning what was found where it began
     */
    Run(BudgetContext begunWith, BudgetContext said, BudgetContext context, Beginning beginning) {
        this(begunWith, said, context, beginning, Ceilings.NONE, null, null, 0, 0, null);
    }

    private Run(
            BudgetContext begunWith,
            BudgetContext said,
            BudgetContext context,
            Beginning beginning,
            Ceilings ceilings,
            @Nullable Object begunBy,
            @Nullable String @Nullable [] saidAtEntry,
            int helping,
            long inFrame,
            @Nullable Run interrupted) {
        this.begunWith = begunWith;
        this.said = said;
        this.context = context;
        this.beginning = beginning;
        this.ceilings = ceilings;
        this.begunBy = begunBy;
        this.saidAtEntry = saidAtEntry;
        this.helping = helping;
        this.inFrame = inFrame;
        this.interrupted = interrupted;
    }

    private Run of(BudgetContext begunWith, BudgetContext said, BudgetContext context, Beginning told) {
        return new Run(begunWith, said, context, told, ceilings, begunBy, saidAtEntry, helping, inFrame, interrupted);
    }

    /** This run from a place on where the application has {@code current} open. */
    Run at(BudgetContext current) {
        BudgetContext there = context(current);
        return there.equals(context) ? this : of(BudgetContext.EMPTY, said(current), there, beginning);
    }

    /** This run, told more of its caller: {@code identified} is what the configured sources make of that. */
    Run told(BudgetContext more, BudgetContext identified, Beginning told) {
        return of(BudgetContext.EMPTY, more, identified, told);
    }

    /**
     * This run as a thread works for it.
     *
     * @param current what the application has open on the thread, which says nothing of this run
     * @param frame the innermost frame that is open on it
     * @param before what it works for now
     * @param saidThere {@link SaidByThread#now} of a thread that is let work for it; null where that thread began it
     */
    Run onThread(
            BudgetContext current,
            @Nullable Frame frame,
            @Nullable Run before,
            @Nullable String @Nullable [] saidThere) {
        return new Run(
                current,
                said,
                context,
                beginning,
                ceilings,
                begunBy,
                saidThere,
                Helping.depth(),
                frame == null ? 0 : frame.number,
                before);
    }

    /** This run with what is held for it up front. */
    Run bound(Ceilings holding) {
        return new Run(
                begunWith, said, context, beginning, holding, begunBy, saidAtEntry, helping, inFrame, interrupted);
    }

    /**
     * A part of this run with terms of its own, begun where the application has {@code current} open.
     *
     * @param narrowing what the application says of the part, without what it says of the run around
     * @param by {@link #begunBy}
     */
    Run within(
            BudgetContext current,
            BudgetContext narrowing,
            BudgetContext narrower,
            Ceilings tighter,
            @Nullable Object by) {
        return new Run(
                current,
                said(current).with(narrowing),
                narrower,
                beginning,
                tighter,
                by,
                saidAtEntry,
                helping,
                inFrame,
                interrupted);
    }

    /** What began this run, or this part of it, says of itself; null for nothing. */
    public @Nullable Object begunBy() {
        return begunBy;
    }

    @Nullable
    String[] saidAtBegin() {
        return beginning.saidByThread();
    }

    /** What was found where it began. */
    Beginning beginning() {
        return beginning;
    }

    /**
     * Who calls, as the application says it, where it has {@code current} open. One that carries a run repeats what the
     * sources have added to that.
     */
    BudgetContext said(BudgetContext current) {
        if (isSame(current, begunWith) || isSame(current, BudgetContext.EMPTY)) {
            return said;
        }
        if (current.run() == null) {
            return said.with(current);
        }
        BudgetContext.Builder narrower = BudgetContext.builder();
        current.dimensions().forEach((name, value) -> {
            if (!value.equals(context.dimension(name))) {
                narrower.dimension(name, value);
            }
        });
        return said.with(narrower.build());
    }

    @SuppressWarnings("ReferenceEquality") // a request is the object that was made for it
    private static boolean isSame(BudgetContext one, BudgetContext other) {
        return one.equals(other) && one.request() == other.request();
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
        return identity() == other.identity();
    }

    /** What there is of it for as long as a call of it may come. */
    Object identity() {
        return beginning.identity();
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
        return context.idempotencyKey() == null
                ? this
                : of(BudgetContext.EMPTY, withoutKey(said), withoutKey(context), beginning);
    }

    private static BudgetContext withoutKey(BudgetContext keyed) {
        BudgetContext.Builder unnamed = BudgetContext.builder().request(keyed.request());
        keyed.dimensions().forEach(unnamed::dimension);
        @Nullable String plan = keyed.plan();
        return (plan == null ? unnamed : unnamed.plan(plan)).build();
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
