package io.tokenbudget.core.method;

import io.tokenbudget.Usage;
import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Run;
import io.tokenbudget.core.metering.RunScope;
import io.tokenbudget.core.metering.RunTerms;
import io.tokenbudget.core.metering.Standing;
import io.tokenbudget.core.metering.UpFront;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call of a {@link BudgetedMethod}, on the thread that calls it until that has returned. Its run goes with whatever the
 * method has begun. Thread-safe but for {@link #exit}.
 */
public final class MethodCall {
    private final MethodRuns runs;
    private final BudgetedMethod method;
    private final @Nullable Object target;
    private final @Nullable Object[] arguments;
    private final RunTerms terms;
    private final Function<IdentitySource, @Nullable String> call;
    private final @Nullable Fallback fallback;

    /** Whether it is its fallback's call, which nothing is held for up front and which charges nothing by itself. */
    private final boolean isInstead;

    /** Who calls the method; only where there is a fallback, whose calls are inside of the same run around it. */
    private final @Nullable Standing around;

    /** Whether the thread that called knew who calls. */
    private final boolean isKnown;

    private final @Nullable Run run;

    /** Written by the thread that enters, before anybody else knows of this. */
    private UpFront upFront;

    private RunScope scope;

    /** Where what was returned goes on, and the run there. Guarded by this. */
    private @Nullable Object wherever;

    private @Nullable Run there;

    MethodCall(
            MethodRuns runs,
            BudgetedMethod method,
            @Nullable Object target,
            @Nullable Object[] arguments,
            RunTerms terms,
            Function<IdentitySource, @Nullable String> call,
            @Nullable Fallback fallback,
            boolean isInstead) {
        this.runs = runs;
        this.method = method;
        this.target = target;
        this.arguments = arguments;
        this.terms = terms;
        this.call = call;
        this.fallback = fallback;
        this.isInstead = isInstead;
        this.around = fallback == null ? null : meter().standing();
        this.isKnown = meter().knowsCaller();
        Run begun = meter().begin(terms, call);
        this.run = begun == null || !charges() ? begun : meter().watched(begun);
        this.upFront = UpFront.NOTHING;
        this.scope = meter().show(run);
    }

    /** Holds what the annotation wants held up front, for what the method does until it has returned. */
    void holdUpFront() {
        upFront = holdUpFront(run);
        if (upFront != UpFront.NOTHING) {
            scope.close();
            scope = meter().show(upFront.run());
        }
    }

    /**
     * Holds what the annotation wants held up front, for one time that what was returned does its work.
     *
     * @param run this call's, wherever it goes on; null if it could not be begun
     * @return to be ended with that work: says whether a limit refuses, and what to work for else
     */
    public UpFront holdUpFront(@Nullable Run run) {
        return run == null || !holdsUpFront() ? UpFront.NOTHING : meter().holdUpFront(run, method.reserve());
    }

    /** What is held up front for what the method itself has begun; for nothing where that begins later. */
    public UpFront upFront() {
        return upFront;
    }

    /** Whether something is to be held up front. */
    public boolean holdsUpFront() {
        return method.reserve() > 0 && !isInstead;
    }

    /** Why the method is not to be called, but to be {@link #refused}; null if it may be called. */
    public @Nullable RuntimeException refusal() {
        return upFront.refusal();
    }

    /**
     * In place of calling and exiting a method that a limit refuses. Called once, on the thread that entered it.
     *
     * @return what the caller is to get: from the fallback, or a stage that has failed
     * @throws Throwable what the caller is to get instead
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it is what the method returns
    public @Nullable Object refused() throws Throwable {
        scope.close();
        try {
            return threw(Objects.requireNonNull(refusal()));
        } catch (Throwable unanswered) {
            if (CompletionStage.class.isAssignableFrom(method.method().returnType())
                    && mayReturn(CompletableFuture.class)) {
                return CompletableFuture.failedFuture(unanswered);
            }
            throw unanswered;
        }
    }

    /**
     * The method has returned. Called once, on the thread that entered it.
     *
     * @param returned null if it returned nothing
     * @param thrown null if it threw nothing
     * @return what the caller is to get
     * @throws Throwable what the caller is to get instead
     */
    public @Nullable Object exit(@Nullable Object returned, @Nullable Throwable thrown) throws Throwable {
        scope.close();
        if (thrown == null) {
            charge(returned);
            return runs.goesOn(returned, this);
        }
        upFront.end();
        return threw(thrown);
    }

    /** Not by an annotation of its type: that has not said it of this method, which may only look at what was used. */
    private boolean charges() {
        return method.returnsUsage() && !method.isOfType() && !isInstead;
    }

    /** C1: the one charge that is the method's own. */
    private void charge(@Nullable Object returned) {
        if (!charges()) {
            return;
        }
        try {
            Usage usage = ReturnedUsage.of(returned);
            Run used = run();
            if (usage != null && used != null) {
                meter().chargeUnlessMetered(used, usage);
            }
        } catch (Throwable fault) {
            meter().fault("reading the usage that a method returns", fault);
        }
    }

    /** Whether there is something to call instead when a limit refuses. */
    public boolean hasFallback() {
        return fallback != null;
    }

    /** Whether the method may return an object of this class. */
    public boolean mayReturn(Class<?> type) {
        return method.method().returnType().isAssignableFrom(type);
    }

    /**
     * What the fallback returns, if {@code thrown} is a refusal, or was caused by one, and there is a fallback. It works for
     * the same caller, and is not bound by what the run may use at most.
     *
     * @throws Throwable what the fallback throws, or {@code thrown} where it is not called
     */
    public @Nullable Object threw(Throwable thrown) throws Throwable {
        RuntimeException refusal = fallback == null ? null : meter().refusalAmong(thrown);
        if (fallback == null || refusal == null || around == null) {
            throw thrown;
        }
        RunScope asCaller = around.show();
        try {
            return callInstead(fallback, refusal);
        } finally {
            asCaller.close();
        }
    }

    private @Nullable Object callInstead(Fallback fallback, RuntimeException refusal) throws Throwable {
        RunTerms unbound = new RunTerms(terms.context(), List.of(), null, List.of(), null, terms.begunBy());
        MethodCall instead = new MethodCall(runs, method, target, arguments, unbound, call, null, true);
        Object returned;
        try {
            returned = fallback.call(target, arguments, refusal);
        } catch (Throwable itsOwn) {
            return instead.exit(null, itsOwn);
        }
        return instead.exit(returned, null);
    }

    /** Lets this thread work for the run until what is returned is closed on it. */
    public RunScope show() {
        return meter().show(run());
    }

    /**
     * The run, where what the method has returned goes on with {@code carried} as its context: of whom that names, unless the
     * thread that called knew better. The same wherever that is the same, so that attempts share one run.
     *
     * @param carried what is found under {@link io.tokenbudget.BudgetContext#KEY}, or null
     * @return null if it could not be begun
     */
    @SuppressWarnings("ReferenceEquality") // an equal context may carry another run
    public synchronized @Nullable Run runIn(@Nullable Object carried) {
        if (run == null || carried == null || isKnown) {
            return run;
        }
        if (wherever != carried || there == null) {
            there = meter().begunIn(carried, run, terms);
            wherever = carried;
        }
        return there;
    }

    /** The run, null if it could not be begun. */
    public @Nullable Run run() {
        Run bound = upFront.run();
        return bound == null ? run : bound;
    }

    /** Where its calls are booked. */
    public CallMeter meter() {
        return runs.meter();
    }
}
