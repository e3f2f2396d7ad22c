package io.tokenbudget.core.metering;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.Usage;
import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.config.Settings;
import io.tokenbudget.core.estimates.RequestTokens;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Meters the model calls of one class loader's framework: reserves before, books after.
 *
 * <p>What an integration is written against. Thread-safe, and no method throws: a fault of ours (in the estimate, the
 * ledger, the configuration) lets the call through unmetered, counts it as such and is reported once. A refusal is a
 * value, {@link Frame#refusal()}, that the integration throws where nothing catches it.
 */
public final class CallMeter {
    private final Metering metering;
    private final Callers callers;
    private final Refusals refusals;
    private final Frames frames;

    CallMeter(Metering metering, CallerSource caller, RefusalFactory factory) {
        this.metering = metering;
        this.callers = new Callers(metering, caller);
        this.refusals = new Refusals(metering, callers, factory);
        this.frames = new Frames(metering, callers, refusals);
    }

    /**
     * Opens a frame around a chat and reserves its first round.
     *
     * @param target the model object that is called
     * @param call estimates the call; asked at most once, on this thread
     */
    public Frame open(Object target, Supplier<ModelCall> call) {
        return open(target, CallKind.CHAT, call);
    }

    /**
     * Opens a frame around a chat for a run and inside a call that are known from elsewhere than this thread.
     *
     * @param target the model object that is called
     * @param call estimates the call; asked at most once, on this thread
     * @param run the run it belongs to; null: that of the thread
     * @param within the call that this one is part of, one layer deeper or in a tool; null: the innermost of this thread
     */
    public Frame open(Object target, Supplier<ModelCall> call, @Nullable Run run, @Nullable Frame within) {
        return frames.open(Frame.Asked.atOnce(target, CallKind.CHAT, call), frames.inside(around(within)), run);
    }

    /**
     * Opens a frame around a call and reserves its first round. Inside of a call of another kind it is a call of its own.
     *
     * @param target the model object that is called
     * @param kind what it is asked for
     * @param call estimates the call; asked at most once, on this thread
     */
    public Frame open(Object target, CallKind kind, Supplier<ModelCall> call) {
        return frames.open(Frame.Asked.atOnce(target, kind, call), frames.here(), null);
    }

    /**
     * Opens a frame around a chat whose answer flows. Where the configuration says so, only a part of its output is held at
     * first, and more of it as it flows: {@link Frame#emitted}. When the method that begins the stream has returned, its
     * caller calls {@link Frame#detach}.
     *
     * @param target the model object that is called
     * @param call estimates the call; asked at most once, on this thread
     */
    public Frame openStream(Object target, Supplier<ModelCall> call) {
        return openStream(target, call, null, null);
    }

    /**
     * Opens a frame around a chat whose answer flows, for a run and inside a call that are known from elsewhere than this
     * thread.
     *
     * @param target the model object that is called
     * @param call estimates the call; asked at most once, on this thread
     * @param run the run it belongs to; null: that of the thread
     * @param within the call that this one is part of, one layer deeper or in a tool; null: the innermost of this thread
     */
    public Frame openStream(Object target, Supplier<ModelCall> call, @Nullable Run run, @Nullable Frame within) {
        return openStream(target, CallKind.CHAT, call, run, within);
    }

    /**
     * Opens a frame around a call of any kind whose answer flows, such as speech: for the rest like {@link
     * #openStream(Object, Supplier)}.
     *
     * @param target the model object that is called
     * @param kind what it is asked for
     * @param call estimates the call; asked at most once, on this thread
     * @param run the run it belongs to; null: that of the thread
     * @param within the call that this one is part of, one layer deeper; null: the innermost of this thread
     */
    public Frame openStream(
            Object target, CallKind kind, Supplier<ModelCall> call, @Nullable Run run, @Nullable Frame within) {
        return frames.open(Frame.Asked.streamed(target, kind, call), frames.inside(around(within)), run);
    }

    private @Nullable Frame around(@Nullable Frame within) {
        return within == null || within.hasEnded() ? metering.top() : within;
    }

    /**
     * The refusal whose message {@code text} is or contains, or null. For frameworks that hand what a tool throws to the
     * model as text: an integration that finds a refusal there ends the run with it.
     */
    public @Nullable RuntimeException refusalIn(@Nullable String text) {
        return refusals.in(text);
    }

    /** The refusal that {@code thrown} is, or has among its causes, or null. */
    public @Nullable RuntimeException refusalAmong(@Nullable Throwable thrown) {
        return Refusals.among(thrown);
    }

    /**
     * Opens a frame around a call that must not be made, because a refusal has ended the run it belongs to. Nothing is
     * reserved.
     */
    public Frame openRefused(Object target, RuntimeException refusal) {
        return frames.openRefused(target, refusal);
    }

    /**
     * What an HTTP request says of its caller, for whoever serves it to open around it ({@link
     * io.tokenbudget.TokenBudgets#open}, or under {@link BudgetContext#KEY} in a Reactor context). It says nothing by itself:
     * identity is completed from it where the configuration names such a source, in the order of the sources.
     *
     * @param lookup the value at a source of the kinds {@code HEADER}, {@code PRINCIPAL} or {@code CLAIM}, or null; asked once
     *     for each that the configuration names, before this returns
     * @return {@link BudgetContext#EMPTY} if the request has no value that the configuration asks for
     */
    public BudgetContext request(Function<IdentitySource, @Nullable String> lookup) {
        return callers.ofRequest(lookup);
    }

    /**
     * What is known, on this thread and before the work for it begins, of who sent the HTTP request that it serves: what is
     * open, completed by identity. Without what the process's own sources say ({@code literal:}, {@code property:}, {@code
     * env:}): they name every caller alike.
     */
    public BudgetContext asker() {
        return callers.asker();
    }

    /** The same of the request that {@code request}, of {@link #request}, was made for, from whatever thread. */
    public BudgetContext asker(BudgetContext request) {
        return callers.asker(request);
    }

    /**
     * Who calls on this thread, as budgets would be found for a call that it makes now, with the name of the run.
     *
     * @param carried what is found under {@link BudgetContext#KEY} where a context is carried along, which comes before what
     *     is known of this thread; null for nothing
     * @return null if nothing says who calls but the process's own sources
     */
    public @Nullable BudgetContext caller(@Nullable Object carried) {
        return callers.caller(carried);
    }

    /** The id of what is held for the call that this thread makes now; null if it makes none. */
    public @Nullable String reservation() {
        Frame frame = metering.top();
        return frame == null ? null : frame.reservation();
    }

    /**
     * How the budgets stand now whose scopes are made of these dimensions alone, with the values that {@code caller} has.
     *
     * @return empty if there are none, or if they cannot be read
     */
    public List<BudgetStatus> budgetsOf(BudgetContext caller, Collection<String> dimensions) {
        try {
            return metering.limiter.statusOf(caller, dimensions);
        } catch (Throwable fault) {
            metering.fault("reading how budgets stand", fault);
            return List.of();
        }
    }

    /** What the configuration says. */
    public Settings settings() {
        return metering.limiter.settings();
    }

    /** What {@link BudgetStatus#resetsAt} is compared with. */
    public InstantSource clock() {
        return metering.limiter.clock();
    }

    /**
     * Opens on this thread what an HTTP request says of its caller, as {@link #request} reads it.
     *
     * @return to be closed on this thread; null if it says nothing, or if this thread serves a request already
     */
    public CallerSource.@Nullable Scope openRequest(Function<IdentitySource, @Nullable String> lookup) {
        return callers.openRequest(lookup);
    }

    /**
     * What an HTTP request says of its caller, as {@link #request} reads it, in the application's own class.
     *
     * @param around what is carried along already, of the same request or of the application's own, and stays but for what the
     *     request says; null if nothing is
     * @return to be carried along under {@link BudgetContext#KEY}; null if it says nothing
     */
    public @Nullable Object carriedRequest(Function<IdentitySource, @Nullable String> lookup, @Nullable Object around) {
        return callers.carriedRequest(lookup, around);
    }

    /**
     * Begins a run, unless this thread is inside one: around the outermost thing that the application asks a framework for.
     *
     * @return what to pass to {@link #closeRun}; null if there is a run already
     */
    public @Nullable Run openRun() {
        return callers.open(source -> null);
    }

    /**
     * The same around a call that says who is calling, by itself or more of it than the run that this thread works for: the
     * dimensions that the application does not name are then found again, in the order of their sources.
     *
     * @param call the value at a source of the kinds {@code MEMORY_ID}, {@code INVOCATION} or {@code ADVISOR}, or null; asked
     *     once for each that the configuration names, before this returns
     */
    public @Nullable Run openRun(Function<IdentitySource, @Nullable String> call) {
        return callers.open(call);
    }

    /** Whether the configuration asks calls of frameworks who is calling: {@link #openRun(Function)}. */
    public boolean asksCalls() {
        return callers.asksCalls();
    }

    /** {@code run} as {@code call} says more of its caller, as of {@link #openRun(Function)}. */
    public Run told(Run run, Function<IdentitySource, @Nullable String> call) {
        return callers.told(run, call);
    }

    /**
     * Begins a run on these terms; where this thread works for one already, a part of it, which is bound by the terms of both.
     * No thread works for it before {@link #show}.
     *
     * @return null if it could not be begun: the calls inside belong to what is around it
     */
    public @Nullable Run begin(RunTerms terms) {
        return begin(terms, source -> null);
    }

    /**
     * The same for a call that says who is calling.
     *
     * @param call as of {@link #openRun(Function)}; the terms come before it
     * @return null if it could not be begun: the calls inside belong to what is around it
     */
    public @Nullable Run begin(RunTerms terms, Function<IdentitySource, @Nullable String> call) {
        return callers.begun(terms, call);
    }

    /**
     * Holds tokens for the calls of {@code run} before it begins.
     *
     * @param tokens positive
     * @return to be ended when the run has: it says what to throw instead of beginning if a limit refuses
     */
    public UpFront holdUpFront(Run run, long tokens) {
        return UpFront.hold(run, tokens, metering, refusals);
    }

    /** {@code run}, which knows from now on whether a call of it is metered: {@link #chargeUnlessMetered}. */
    public Run watched(Run run) {
        return run.bound(run.ceilings().watched());
    }

    /** Books {@code usage} on a {@linkplain #watched watched} run of which no call has been metered, whatever the limits say. */
    public void chargeUnlessMetered(Run run, Usage usage) {
        frames.chargeUnlessMetered(run, usage);
    }

    /** Whether this thread works for a run, or a context is open on it. */
    public boolean knowsCaller() {
        return callers.knowsCaller();
    }

    /**
     * {@code run}, which was begun on these terms where {@link #knowsCaller} said no, from a place on where {@code carried} is
     * the context: as part of the run that it carries, or of whom it names. The terms come before it.
     *
     * @return {@code run} itself if {@code carried} is no context, or one of that run
     */
    public Run begunIn(@Nullable Object carried, Run run, RunTerms terms) {
        return callers.begunIn(carried, run, terms);
    }

    /** What takes {@code run} along under {@link BudgetContext#KEY}, in the application's own class; null if it cannot be made. */
    public @Nullable Object carried(Run run) {
        return callers.carried(run);
    }

    /** Whom this thread works for here and now. */
    public Standing standing() {
        return callers.standing();
    }

    /**
     * Lets this thread work for {@code run}, and makes its context what application code sees as the current one, until what
     * is returned is closed on this thread.
     *
     * @param run null: nothing changes
     */
    public RunScope show(@Nullable Run run) {
        return callers.show(run);
    }

    /**
     * How deep this thread is in tasks of others that it runs while it waits; 0 for nearly every thread. What an integration
     * keeps for a thread is of the same call only at the same depth.
     */
    public static int helpingDepth() {
        return Helping.depth();
    }

    /** Ends what {@link #openRun} began on this thread. What flows on belongs to the run all the same. */
    public void closeRun(@Nullable Run opened) {
        callers.close(opened);
    }

    /** The run that this thread works for, or null. */
    public @Nullable Run currentRun() {
        return callers.run();
    }

    /**
     * Lets this thread work for {@code run}: around code of the application or the framework that a thread of a pool runs for
     * it.
     *
     * @return what to pass to {@link #leaveRun} when that code has returned
     */
    public @Nullable Run enterRun(@Nullable Run run) {
        return callers.enter(run);
    }

    /** Gives this thread back to whom it worked for before. */
    public void leaveRun(@Nullable Run before) {
        callers.leave(before);
    }

    /** {@code task} so that it works, on whatever thread, for the run of this thread, or for whom the application has open here. */
    public Runnable wrap(Runnable task) {
        return callers.wrap(task);
    }

    /** {@code executor} so that what it runs works for the run of the thread that hands it in. */
    public Executor executor(Executor executor) {
        return executor instanceof ExecutorService service
                ? new RunExecutor.Service(service, callers)
                : new RunExecutor(executor, callers);
    }

    /**
     * The run for what is asked for here and begins later, perhaps on another thread: that of this thread, or one of the
     * caller that this thread names; null if it says nothing of a caller.
     */
    public @Nullable Run origin() {
        return callers.origin();
    }

    /** {@code run}, or a new one on this thread, from a place on where {@code carried} is the context, if it is one. */
    public @Nullable Run runIn(@Nullable Object carried, @Nullable Run run) {
        return callers.in(carried, run);
    }

    /** Of calendar windows, also in limits that are declared in code. */
    public ZoneId zone() {
        return metering.limiter.settings().zone();
    }

    /** Counts the output of a stream of a model, whose name may be null, as that model would count it. */
    public OutputCounter output(@Nullable String model) {
        return frames.output(model);
    }

    /** Counts the tokens of one request to a model, whose name may be null, for {@link ModelCall#inputTokens()}. */
    public RequestTokens tokens(@Nullable String model) {
        return metering.estimates.request(model);
    }

    /** The innermost open frame of this thread, or null. */
    public @Nullable Frame current() {
        return metering.top();
    }

    /**
     * Counts a call that passes without a reservation, and says so once for each kind.
     *
     * @param kind what passes: {@code "streaming calls of LangChain4j"}
     */
    public void unmetered(String kind) {
        metering.unmetered.increment();
        metering.notices.warn(
                "unmetered " + kind, kind + " are not metered in this version: they pass and are counted");
    }

    /** Counts a call that passes without a reservation for a reason that has been said already. */
    public void unmetered() {
        metering.unmetered.increment();
    }

    /** Reports a fault of an integration, once for each place and type. */
    public void fault(String where, Throwable fault) {
        metering.fault(where, fault);
    }
}
