package io.tokenbudget.core.metering;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.config.IdentitySource.Extent;
import io.tokenbudget.core.config.IdentitySource.Kind;
import io.tokenbudget.core.config.Settings;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who calls, and which run a call belongs to: the run that this thread works for, or one that begins with the call.
 *
 * <p>Thread-safe: what is of a thread is kept by {@link Metering}.
 */
final class Callers {
    private final Metering metering;
    private final CallerSource source;
    private final SaidByThread saidByThread;

    /** Read on the thread where a run begins; empty if nothing is told to a run after that. */
    private final List<IdentitySource> keptOfThread;

    private final List<IdentitySource> ofCalls;

    /** Set once; two threads that both find it unset say the same, and the notices drop the second. */
    private volatile boolean mdcLookedAt;

    Callers(Metering metering, CallerSource source) {
        this.metering = metering;
        this.source = source;
        Settings settings = metering.limiter.settings();
        this.saidByThread = new SaidByThread(settings);
        this.ofCalls = sources(settings, Extent.CALL);
        this.keptOfThread =
                ofCalls.isEmpty() && sources(settings, Extent.REQUEST).isEmpty()
                        ? List.of()
                        : ThreadSources.of(settings);
    }

    private static List<IdentitySource> sources(Settings settings, Extent extent) {
        return settings.identity().values().stream()
                .flatMap(List<IdentitySource>::stream)
                .filter(source -> source.kind().extent() == extent)
                .distinct()
                .toList();
    }

    /** A context that carries what a request says of its caller; empty if it says nothing, or cannot be read. */
    BudgetContext ofRequest(Function<IdentitySource, @Nullable String> lookup) {
        try {
            return metering.limiter.ofRequest(guarded(lookup));
        } catch (Throwable fault) {
            metering.fault("reading who is calling from a request", fault);
            return BudgetContext.EMPTY;
        }
    }

    /** Who sent the request that this thread serves. */
    BudgetContext asker() {
        return asker(current(), source::value);
    }

    /** Who sent the request that {@code carried} was made for. */
    BudgetContext asker(BudgetContext carried) {
        return asker(carried, Callers::nothing);
    }

    private BudgetContext asker(BudgetContext around, Function<IdentitySource, @Nullable String> lookup) {
        try {
            return metering.limiter.identifyCaller(around, lookup);
        } catch (Throwable fault) {
            metering.fault("finding who asks", fault);
            return BudgetContext.EMPTY;
        }
    }

    /** Who calls, here or where {@code carried} is the context; null if nothing says so but the process's own sources. */
    @Nullable
    BudgetContext caller(@Nullable Object carried) {
        try {
            BudgetContext context = source.contextIn(carried);
            Run run = present();
            if (run != null || (context != null && context.run() instanceof Run)) {
                Run known = in(carried, run);
                return known == null ? null : known.context();
            }
            return context == null && !saysWhoCalls()
                    ? null
                    : metering.limiter.identify(
                            context == null
                                    ? source.current()
                                    : source.current().with(context),
                            this::value);
        } catch (Throwable fault) {
            metering.fault("finding who is calling", fault);
            return null;
        }
    }

    /** Opens on this thread what a request says; null if it says nothing, or if it is served inside of another one. */
    @SuppressWarnings("ReferenceEquality") // what is made where nothing is said
    CallerSource.@Nullable Scope openRequest(Function<IdentitySource, @Nullable String> lookup) {
        try {
            BudgetContext said = source.current().request() == null
                    ? metering.limiter.ofRequest(guarded(lookup))
                    : BudgetContext.EMPTY;
            return said == BudgetContext.EMPTY
                    ? null
                    : source.open(source.current().with(said));
        } catch (Throwable fault) {
            metering.fault("reading who is calling from a request", fault);
            return null;
        }
    }

    /**
     * What a request says, as the application's own class, with all that {@code around} says beside it; null if it says
     * nothing.
     */
    @SuppressWarnings("ReferenceEquality") // what is made where nothing is said
    @Nullable
    Object carriedRequest(Function<IdentitySource, @Nullable String> lookup, @Nullable Object around) {
        BudgetContext said = ofRequest(lookup);
        try {
            if (said == BudgetContext.EMPTY) {
                return null;
            }
            BudgetContext known = source.contextIn(around);
            return source.carried(known == null ? said : known.with(said));
        } catch (Throwable fault) {
            metering.fault("carrying who is calling along", fault);
            return null;
        }
    }

    /** The run that this thread works for, or null. */
    @Nullable
    Run run() {
        Run known = ofThread();
        BudgetContext current = current();
        return current.run() instanceof Run carried && (known == null || isBroughtOver(known, current, carried))
                ? carried.at(current)
                : known;
    }

    private BudgetContext current() {
        try {
            return source.current();
        } catch (Throwable fault) {
            metering.fault("finding who is calling", fault);
            return BudgetContext.EMPTY;
        }
    }

    /** Of the innermost call, or what was begun or entered inside of it. */
    private @Nullable Run ofThread() {
        Frame top = metering.top();
        Run run = metering.run();
        return top == null || top.run == null || (run != null && run.inFrame == top.number)
                ? unlessOfAnother(run)
                : top.run;
    }

    /** Null if the application has said, since {@code run} came to this thread, that another one calls. */
    private @Nullable Run unlessOfAnother(@Nullable Run run) {
        return run == null
                ? null
                : orIfFaulty(
                        run,
                        "finding who is calling",
                        () -> saidByThread.isOfAnotherThan(run, source::value) ? null : run);
    }

    /** Whether the application has opened, since {@code known} came to this thread, a context that is of another run. */
    private static boolean isBroughtOver(Run known, BudgetContext current, Run carried) {
        BudgetContext begunWith = known.begunWith();
        boolean openedSince = current.run() != begunWith.run() || !current.equals(begunWith);
        return openedSince && (!carried.isSameAs(known) || carried.ceilings() != known.ceilings());
    }

    /** That run with what the application has open here and now, or null. */
    @Nullable
    Run present() {
        Run run = run();
        return orIfFaulty(run, "handing a run to another thread", () -> run == null ? null : run.at(source.current()));
    }

    /** {@link #present}, or a new run of the caller that this thread names; null if it says nothing of a caller. */
    @Nullable
    Run origin() {
        Run present = present();
        return present != null
                ? present
                : orIfFaulty(null, "finding who is calling", () -> saysWhoCalls() ? begin() : null);
    }

    /** {@code run}, or a new one, from a place on where {@code carried} is the context, if it is one. */
    @Nullable
    Run in(@Nullable Object carried, @Nullable Run run) {
        return orIfFaulty(run, "finding who is calling", () -> {
            BudgetContext context = source.contextIn(carried);
            if (context == null) {
                return run;
            }
            if (context.run() instanceof Run brought) {
                return brought.at(context);
            }
            if (run == null) {
                return beginIn(context);
            }
            boolean isOfRequest = context.request() != null && run.context().request() == null;
            return isOfRequest ? told(run, run.said(context), run.beginning()) : run.at(context);
        });
    }

    /**
     * Begins a run and lets this thread work for it, or for the run that it works for as {@code call} says more of its caller;
     * null if nothing was begun.
     *
     * @param call reads what the application asks the framework for
     */
    @Nullable
    Run open(Function<IdentitySource, @Nullable String> call) {
        Run known = run();
        return orIfFaulty(null, "beginning a run", () -> {
            BudgetContext current = source.current();
            Run begun = known == null ? begin(current, call) : toldBy(call, known, current);
            if (begun == known) {
                return null;
            }
            Run run = begun.onThread(current, metering.topOfStack(), metering.runOfThread(), null);
            metering.run(run);
            return run;
        });
    }

    boolean asksCalls() {
        return !ofCalls.isEmpty();
    }

    /** {@code run} as {@code call} says more of its caller. */
    Run told(Run run, Function<IdentitySource, @Nullable String> call) {
        Run told = orIfFaulty(run, "finding who is calling", () -> toldBy(call, run, BudgetContext.EMPTY));
        return told == null ? run : told;
    }

    /** A place that cannot be read says nothing: the call belongs to whom the others name. */
    private Function<IdentitySource, @Nullable String> guarded(Function<IdentitySource, @Nullable String> call) {
        return asked -> {
            try {
                return call.apply(asked);
            } catch (Throwable fault) {
                metering.fault("reading who is calling", fault);
                return null;
            }
        };
    }

    private Run begin(BudgetContext current, Function<IdentitySource, @Nullable String> call) {
        return begin(current, current, metering.namesRuns(), call);
    }

    /** {@code run} itself if {@code call} says nothing of its caller that it does not know. */
    private Run toldBy(Function<IdentitySource, @Nullable String> call, Run run, BudgetContext current) {
        Beginning told = run.beginning().and(ofCalls, guarded(call));
        return told == run.beginning() ? run : told(run, run.said(current), told);
    }

    private Run told(Run run, BudgetContext said, Beginning told) {
        BudgetContext identified = metering.limiter.identify(said, told::value);
        String name = run.context().runId();
        return run.told(
                said,
                name == null ? identified : identified.toBuilder().runId(name).build(),
                told);
    }

    /**
     * A run on these terms, or a part of the run that this thread works for; null if it could not be begun.
     *
     * @param call reads what the application asks the framework for
     */
    @Nullable
    Run begun(RunTerms terms, Function<IdentitySource, @Nullable String> call) {
        return orIfFaulty(null, "beginning a run", () -> {
            BudgetContext current = source.current();
            Run outer = run();
            return outer == null ? begin(current, terms, call) : part(toldBy(call, outer, current), current, terms);
        });
    }

    /** Whether anything is known on this thread of who calls, beside what the configured sources say. */
    @SuppressWarnings("ReferenceEquality") // what is read where nothing is open
    boolean knowsCaller() {
        return run() != null || current() != BudgetContext.EMPTY;
    }

    /**
     * {@code run}, begun on these terms where nobody was known, from a place on where {@code carried} is the context: a part
     * of the run that this is of, or a run of whom it names.
     */
    Run begunIn(@Nullable Object carried, Run run, RunTerms terms) {
        Run begun = orIfFaulty(run, "beginning a run", () -> {
            BudgetContext context = source.contextIn(carried);
            if (context == null) {
                return run;
            }
            if (context.run() instanceof Run around) {
                return around.isSameAs(run) ? run : part(around.at(context), BudgetContext.EMPTY, terms);
            }
            return begin(context, terms, Callers::nothing);
        });
        return begun == null ? run : begun;
    }

    /** {@code run} with its context, as the application's own class. */
    @Nullable
    Object carried(Run run) {
        try {
            return source.carried(run.carried());
        } catch (Throwable fault) {
            metering.fault("carrying who is calling along", fault);
            return null;
        }
    }

    /** Lets this thread work for {@code run} and shows its context to the application, until what is returned is closed. */
    RunScope show(@Nullable Run run) {
        Run before = metering.runOfThread();
        CallerSource.Scope opened = CallerSource.Scope.NOTHING;
        if (run != null) {
            try {
                opened = source.open(run.carried());
            } catch (Throwable fault) {
                metering.fault("showing who is calling", fault);
            }
            metering.run(run.onThread(current(), metering.topOfStack(), before, null));
        }
        return new RunScope(this, before, opened);
    }

    /** {@code task} itself where this thread works for nobody that is known. */
    @SuppressWarnings("ReferenceEquality") // what is read where nothing is open
    Runnable wrap(Runnable task) {
        Run run = present();
        BudgetContext current = current();
        if (run == null && current == BudgetContext.EMPTY) {
            return task;
        }
        return () -> {
            RunScope scope = run == null ? show(current) : show(run);
            try {
                task.run();
            } finally {
                scope.close();
            }
        };
    }

    /** Whom this thread works for, to be shown again later on. */
    Standing standing() {
        return new Standing(this, present(), current());
    }

    RunScope show(Standing standing) {
        Run before = metering.runOfThread();
        CallerSource.Scope opened = CallerSource.Scope.NOTHING;
        try {
            opened = source.open(standing.open());
        } catch (Throwable fault) {
            metering.fault("showing who is calling", fault);
        }
        Run run = standing.run();
        metering.run(run == null ? null : run.onThread(current(), metering.topOfStack(), before, null));
        return new RunScope(this, before, opened);
    }

    private RunScope show(BudgetContext context) {
        Run before = metering.runOfThread();
        CallerSource.Scope opened = CallerSource.Scope.NOTHING;
        try {
            opened = source.open(context);
        } catch (Throwable fault) {
            metering.fault("showing who is calling", fault);
        }
        return new RunScope(this, before, opened);
    }

    /** Ends what {@link #show} began on this thread. */
    void hide(@Nullable Run before, CallerSource.Scope opened) {
        try {
            opened.close();
        } catch (Throwable fault) {
            metering.fault("showing who is calling", fault);
        }
        metering.run(before);
    }

    private Run begin(BudgetContext current, RunTerms terms, Function<IdentitySource, @Nullable String> call) {
        BudgetContext said = current.with(terms.context());
        String key = said.idempotencyKey();
        if (said.runId() == null && key != null && !terms.ceilings().isEmpty()) {
            // Attempts of one call share one run.
            BudgetContext identified = metering.limiter.identify(said, this::value);
            if (identified.runId() == null) {
                said = said.toBuilder()
                        .runId(RunIds.ofKey(key, identified, terms.of()))
                        .build();
            }
        }
        boolean budgeted = metering.namesRuns() || !terms.ceilings().isEmpty();
        Run run = begin(current, said, budgeted, call);
        return run.within(
                current,
                terms.context(),
                run.context(),
                ceilings(Ceilings.NONE, run.context(), run.context().runId(), terms),
                terms.begunBy());
    }

    /** What the run around is bound by stays in force, also where this one has another name. */
    private Run part(Run outer, BudgetContext current, RunTerms terms) {
        BudgetContext around = outer.context(current);
        BudgetContext narrower = around.with(terms.context());
        Ceilings ceilings = outer.ceilings();
        String name = narrower.runId();
        if (!Objects.equals(name, around.runId())) {
            Scope ofOuter = new Scope("run", String.valueOf(around.runId()));
            BudgetRef configured = metering.limiter.configured(ofOuter, around);
            ceilings = configured == null || ceilings.has(ofOuter) ? ceilings : ceilings.and(List.of(configured));
        } else if (!terms.ceilings().isEmpty()) {
            name = metering.runIds.inside(name);
            Ceilings tighter = ceilings(ceilings, narrower, name, terms);
            metering.unnamedRuns.add(tighter, name);
            return outer.within(current, terms.context(), narrower, tighter, terms.begunBy());
        }
        return outer.within(
                current, terms.context(), narrower, ceilings(ceilings, narrower, name, terms), terms.begunBy());
    }

    private Ceilings ceilings(Ceilings outer, BudgetContext context, @Nullable String run, RunTerms terms) {
        List<BudgetRef> budgets = new ArrayList<>();
        if (!terms.ceilings().isEmpty() && run != null) {
            budgets.add(metering.limiter.budget(new Scope("run", run), terms.ceilings(), context));
        }
        String limited = terms.limited();
        String value = limited == null ? null : context.dimension(limited);
        if (limited != null && value != null) {
            Scope scope = new Scope(limited, value);
            if (metering.limiter.configured(scope, context) == null) {
                budgets.add(new BudgetRef(scope, terms.limits()));
            }
        }
        return budgets.isEmpty() ? outer : outer.and(budgets);
    }

    /** Ends what {@link #open} began on this thread. */
    void close(@Nullable Run opened) {
        if (opened != null && metering.runOfThread() == opened) {
            metering.run(opened.interrupted);
        }
    }

    /** Lets this thread work for {@code run}, if it is one; what it worked for before. */
    @Nullable
    Run enter(@Nullable Run run) {
        Run before = metering.runOfThread();
        if (run != null) {
            metering.run(run.onThread(current(), metering.topOfStack(), null, saidNow(run)));
        }
        return before;
    }

    private @Nullable String @Nullable [] saidNow(Run run) {
        try {
            return saidByThread.now(run.context(), source::value);
        } catch (Throwable fault) {
            metering.fault("finding who is calling", fault);
            return null;
        }
    }

    void leave(@Nullable Run before) {
        metering.run(before);
    }

    private @Nullable Run orIfFaulty(@Nullable Run instead, String what, Supplier<@Nullable Run> run) {
        try {
            return run.get();
        } catch (Throwable fault) {
            metering.fault(what, fault);
            return instead;
        }
    }

    /** Who makes the call of {@code frame}, whose run begins here if it is not known. */
    BudgetContext context(Frame frame) {
        Run run = frame.run;
        if (run == null) {
            run = begin();
            frame.run = run;
        }
        return run.context(source.current());
    }

    /** Who calls on this thread for {@code run}; null: for none that is known. */
    BudgetContext context(@Nullable Run run) {
        return run == null ? begin().context() : run.context(source.current());
    }

    private Run begin() {
        return begin(source.current(), Callers::nothing);
    }

    /** From a place on where {@code carried} is the context, which comes before what is open on this thread. */
    private Run beginIn(BudgetContext carried) {
        return begin(BudgetContext.EMPTY, source.current().with(carried), metering.namesRuns(), Callers::nothing);
    }

    /** @param budgeted whether anything is kept for it, so that it needs a name */
    private Run begin(
            BudgetContext current,
            BudgetContext said,
            boolean budgeted,
            Function<IdentitySource, @Nullable String> call) {
        Beginning beginning = Beginning.of(saidByThread.now(said, source::value))
                .and(keptOfThread, source::value)
                .and(ofCalls, guarded(call));
        BudgetContext identified = metering.limiter.identify(
                said,
                keptOfThread.isEmpty() && ofCalls.isEmpty()
                        ? this::value
                        : asked -> noticed(asked, beginning.value(asked)));
        if (!budgeted || identified.runId() != null) {
            return new Run(current, said, identified, beginning);
        }
        String id = metering.runIds.next();
        Run run = new Run(current, said, identified.toBuilder().runId(id).build(), beginning);
        metering.unnamedRuns.add(run.identity(), id);
        return run;
    }

    private static @Nullable String nothing(IdentitySource asked) {
        return null;
    }

    private boolean saysWhoCalls() {
        BudgetContext current = source.current();
        if (current.request() != null || !current.equals(BudgetContext.EMPTY)) {
            return true;
        }
        for (IdentitySource ofThread : ThreadSources.of(metering.limiter.settings())) {
            if (value(ofThread) != null) {
                return true;
            }
        }
        return false;
    }

    /** Says on this thread which reservation is held for the call it makes; what was said before. */
    @Nullable
    String reservation(@Nullable String id) {
        try {
            return source.reservation(id);
        } catch (Throwable fault) {
            metering.fault("saying which reservation is held", fault);
            return null;
        }
    }

    private @Nullable String value(IdentitySource asked) {
        return noticed(asked, source.value(asked));
    }

    /** {@code value}; says so once if {@code asked} cannot ever have one. */
    private @Nullable String noticed(IdentitySource asked, @Nullable String value) {
        if (value == null && !mdcLookedAt && asked.kind() == Kind.MDC) {
            mdcLookedAt = true;
            sayIfMdcIsDropped();
        }
        return value;
    }

    private void sayIfMdcIsDropped() {
        String sources = source.dropsMdc() ? ThreadSources.ofMdc(metering.limiter.settings()) : "";
        if (!sources.isEmpty()) {
            metering.notices.warn(
                    "mdc",
                    "nothing is found at " + sources + ": the application's logging backend keeps no MDC (Logback"
                            + " and Log4j do)");
        }
    }
}
