package io.tokenbudget.core.metering;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.Usage;
import io.tokenbudget.core.config.Streaming;
import io.tokenbudget.core.estimates.RequestTokens;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
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
    private final CallerSource caller;
    private final RefusalFactory refusals;
    private final RefusalTexts refusalTexts = new RefusalTexts();
    private final Rounds rounds;
    private final RunIds runIds;

    /** Set once; two threads that both find it unset say the same, and the notices drop the second. */
    private volatile boolean mdcLookedAt;

    CallMeter(Metering metering, CallerSource caller, RefusalFactory refusals) {
        this.metering = metering;
        this.rounds = metering.rounds;
        this.runIds = metering.runIds;
        this.caller = caller;
        this.refusals = refusals;
    }

    /**
     * Opens a frame around a call and reserves its first round.
     *
     * @param target the model object that is called
     * @param call estimates the call; asked at most once, on this thread
     */
    public Frame open(Object target, Supplier<ModelCall> call) {
        return open(target, Frame.Kind.CHAT, call, here(), null);
    }

    /**
     * Opens a frame around a call that is no chat, such as an embedding. One that is made inside of a chat, by a cache or a
     * router, is a call of its own, as is a chat inside of it.
     *
     * @param target the model object that is called
     * @param call estimates the call; asked at most once, on this thread
     */
    public Frame openOther(Object target, Supplier<ModelCall> call) {
        return open(target, Frame.Kind.OTHER, call, here(), null);
    }

    /**
     * Opens a frame around a call whose answer flows. Where the configuration says so, only a part of its output is held at
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
     * Opens a frame around a call whose answer flows, for a run and inside a call that are known from elsewhere than this
     * thread.
     *
     * @param target the model object that is called
     * @param call estimates the call; asked at most once, on this thread
     * @param run the run it belongs to; null: that of the thread
     * @param within the call that this one is part of, one layer deeper or in a tool; null: the innermost of this thread
     */
    public Frame openStream(Object target, Supplier<ModelCall> call, @Nullable Run run, @Nullable Frame within) {
        Frame around = within == null || within.hasEnded() ? metering.top() : within;
        return open(target, Frame.Kind.STREAMED_CHAT, call, new Frame.Place(metering.topOfStack(), around), run);
    }

    /**
     * Opens a frame around a call that is no chat and whose answer flows, such as speech: for the rest like {@link
     * #openStream}.
     *
     * @param target the model object that is called
     * @param call estimates the call; asked at most once, on this thread
     * @param run the run it belongs to; null: that of the thread
     */
    public Frame openOtherStream(Object target, Supplier<ModelCall> call, @Nullable Run run) {
        return open(target, Frame.Kind.STREAMED_OTHER, call, here(), run);
    }

    private Frame.Place here() {
        return new Frame.Place(metering.topOfStack(), metering.top());
    }

    private Frame open(Object target, Frame.Kind kind, Supplier<ModelCall> call, Frame.Place place, @Nullable Run run) {
        Frame outer = place.around();
        Frame frame = new Frame(this, target, place, kind, call);
        if (run != null) {
            frame.run = run;
        } else {
            frame.run = outer == null ? metering.run() : outer.run;
        }
        RuntimeException refusal = null;
        if (outer != null && !outer.inTools() && outer.chat == frame.chat) {
            refusal = takeOver(outer, frame, call);
        } else if (metering.delegators.contains(target)) {
            frame.unheld = true;
            beginRun(frame);
        } else {
            refusal = hold(frame, call);
        }
        // Last, so that nothing which goes wrong above leaves a frame on the thread.
        metering.push(frame);
        if (refusal != null) {
            metering.settledAnswers.add(refusal, target);
            frame.refuse(refusal);
        }
        return frame;
    }

    /**
     * The refusal whose message {@code text} is or contains, or null. For frameworks that hand what a tool throws to the
     * model as text: an integration that finds a refusal there ends the run with it.
     */
    public @Nullable RuntimeException refusalIn(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            Run run = currentRun();
            return refusalTexts.find(
                    text, run, now(), () -> run == null ? begin().context() : run.context(caller.current()));
        } catch (Throwable fault) {
            metering.fault("looking for a refusal in a text", fault);
            return null;
        }
    }

    private long now() {
        return metering.limiter.clock().millis();
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
        Frame frame = new Frame(this, target, here(), Frame.Kind.CHAT, CallMeter::noCall);
        metering.push(frame);
        frame.refuse(refusal);
        return frame;
    }

    private static ModelCall noCall() {
        throw new IllegalStateException("no call is made in this frame");
    }

    /**
     * Begins a run, unless this thread is inside one: around the outermost thing that the application asks a framework for.
     *
     * @return what to pass to {@link #closeRun}; null if there is a run already
     */
    public @Nullable Run openRun() {
        if (currentRun() != null) {
            return null;
        }
        try {
            Run run = begin().onThread(Helping.depth(), metering.runOfThread());
            metering.run(run);
            return run;
        } catch (Throwable fault) {
            metering.fault("beginning a run", fault);
            return null;
        }
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
        if (opened != null && metering.runOfThread() == opened) {
            metering.run(opened.interrupted);
        }
    }

    /** The run that this thread works for, or null. */
    public @Nullable Run currentRun() {
        Frame top = metering.top();
        return top == null || top.run == null ? metering.run() : top.run;
    }

    /**
     * Lets this thread work for {@code run}: around code of the application or the framework that a thread of a pool runs for
     * it.
     *
     * @return what to pass to {@link #leaveRun} when that code has returned
     */
    public @Nullable Run enterRun(@Nullable Run run) {
        Run before = metering.runOfThread();
        if (run != null) {
            metering.run(run.onThread(Helping.depth(), null));
        }
        return before;
    }

    /** Gives this thread back to whom it worked for before. */
    public void leaveRun(@Nullable Run before) {
        metering.run(before);
    }

    /** {@code executor} so that what it runs works for the run of the thread that hands it in. */
    public Executor executor(Executor executor) {
        return executor instanceof ExecutorService service
                ? new RunExecutor.Service(service, this)
                : new RunExecutor(executor, this);
    }

    /** The run of this thread with what the application has open here and now, or null. */
    @Nullable
    Run presentRun() {
        Run run = currentRun();
        try {
            return run == null ? null : run.at(caller.current());
        } catch (Throwable fault) {
            metering.fault("handing a run to another thread", fault);
            return run;
        }
    }

    /**
     * The run for what is asked for here and begins later, perhaps on another thread: that of this thread, or one of the
     * caller that this thread names; null if it says nothing of a caller.
     */
    public @Nullable Run origin() {
        Run present = presentRun();
        if (present != null) {
            return present;
        }
        try {
            return saysWhoCalls() ? begin() : null;
        } catch (Throwable fault) {
            metering.fault("finding who is calling", fault);
            return null;
        }
    }

    /** {@code run}, or a new one on this thread, from a place on where {@code carried} is the context, if it is one. */
    public @Nullable Run runIn(@Nullable Object carried, @Nullable Run run) {
        try {
            BudgetContext context = caller.contextIn(carried);
            if (context == null) {
                return run;
            }
            return (run == null ? begin() : run).at(context);
        } catch (Throwable fault) {
            metering.fault("finding who is calling", fault);
            return run;
        }
    }

    private boolean saysWhoCalls() {
        if (!caller.current().equals(BudgetContext.EMPTY)) {
            return true;
        }
        for (String key : MdcSources.keys(metering.limiter.settings())) {
            if (mdc(key) != null) {
                return true;
            }
        }
        return false;
    }

    private Run begin() {
        BudgetContext current = caller.current();
        BudgetContext identified = metering.limiter.identify(current, this::mdc);
        boolean named = !metering.limiter.hasRunBudgets() || identified.runId() != null;
        if (named) {
            return new Run(current, identified);
        }
        String id = runIds.next();
        Run run = new Run(current, identified.toBuilder().runId(id).build());
        metering.unnamedRuns.add(run.identity(), id);
        return run;
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

    /**
     * The same call one layer deeper. The inner layer knows better who calls which model with which bounds, so the outer
     * hold is kept only where it covers the same.
     */
    private @Nullable RuntimeException takeOver(Frame outer, Frame inner, Supplier<ModelCall> call) {
        outer.delegated = true;
        Round held = outer.takeRound();
        if (held == null) {
            return hold(inner, call);
        }
        try {
            ModelCall deeper = call.get();
            if (outer.streamed == inner.streamed
                    && Objects.equals(held.request().model(), deeper.model())
                    && held.request().context().equals(contextOf(inner))
                    && deeper.inputTokens() <= held.estimatedInput()
                    && heldAtFirst(inner, deeper) <= held.request().outputTokens()) {
                held.boundedBy(mostHeld(inner, deeper));
                inner.begin(held);
                return null;
            }
            rounds.giveUp(held);
            return hold(inner, () -> deeper);
        } catch (Throwable fault) {
            metering.fault("taking over the hold of an outer call", fault);
            inner.begin(held);
            return null;
        }
    }

    @Nullable
    RuntimeException hold(Frame frame, Supplier<ModelCall> supplier) {
        try {
            return reserve(frame, supplier.get());
        } catch (Throwable fault) {
            metering.unmetered.increment();
            metering.fault("reserving", fault);
            return null;
        }
    }

    private ReservationRequest request(Frame frame, ModelCall call, long output) {
        ReservationRequest.Builder request = ReservationRequest.builder()
                .context(contextOf(frame))
                .inputTokens(metering.estimates.of(call.model()).corrected(call.inputTokens()))
                .outputTokens(output);
        String model = call.model();
        if (model != null && !model.isBlank()) {
            request.model(model);
        }
        return request.build();
    }

    private @Nullable RuntimeException reserve(Frame frame, ModelCall call) {
        ReservationRequest asked = request(frame, call, heldAtFirst(frame, call));
        try {
            Round round = rounds.hold(asked, call.inputTokens(), mostHeld(frame, call));
            if (frame.streamed) {
                rounds.flows(round);
            }
            frame.begin(round);
        } catch (LimitExceededException refused) {
            long outputByDefault = call.boundsOutput() ? 0 : asked.outputTokens();
            metering.log(log -> log.refused(asked, outputByDefault, refused));
            return toThrow(refused, frame);
        }
        Round late = frame.hasEnded() ? frame.takeRound() : null;
        if (late != null) {
            rounds.giveUp(late);
        }
        return null;
    }

    private long heldAtFirst(Frame frame, ModelCall call) {
        long output = maxOutput(call);
        Streaming streaming = metering.limiter.settings().streaming();
        return frame.streamed && streaming.chunked(call.boundsOutput())
                ? Math.min(output, Math.multiplyExact((long) streaming.chunk(), Math.max(1, call.answers())))
                : output;
    }

    /** Providers keep to a bound; without one, what flows is held however much it is. */
    private long mostHeld(Frame frame, ModelCall call) {
        return frame.streamed && !call.boundsOutput() ? Long.MAX_VALUE : maxOutput(call);
    }

    private RuntimeException toThrow(LimitExceededException refused, Frame frame) {
        RuntimeException refusal = refused;
        try {
            refusal = refusals.toThrow(refused);
        } catch (Throwable fault) {
            metering.fault("making the exception of a refusal", fault);
        }
        refusalTexts.add(refusal, refused, frame.run, now());
        return refusal;
    }

    private long maxOutput(ModelCall call) {
        if (call.answers() == 0) {
            return 0;
        }
        Integer bound = call.maxOutputTokens();
        long perAnswer = bound != null && call.boundsOutput()
                ? bound
                : metering.limiter.settings().estimates().maxOutput(call.model()) + call.thinkingTokens();
        return Math.multiplyExact(perAnswer, call.answers());
    }

    /** What is asked for inside of a call for which nothing is held belongs to its run all the same. */
    private void beginRun(Frame frame) {
        try {
            contextOf(frame);
        } catch (Throwable fault) {
            metering.fault("beginning a run", fault);
        }
    }

    private BudgetContext contextOf(Frame frame) {
        Run run = frame.run;
        if (run == null) {
            run = begin();
            frame.run = run;
        }
        return run.context(caller.current());
    }

    private @Nullable String mdc(String key) {
        String value = caller.mdc(key);
        if (value == null && !mdcLookedAt) {
            mdcLookedAt = true;
            sayIfMdcIsDropped();
        }
        return value;
    }

    private void sayIfMdcIsDropped() {
        String sources = caller.dropsMdc() ? MdcSources.of(metering.limiter.settings()) : "";
        if (!sources.isEmpty()) {
            metering.notices.warn(
                    "mdc",
                    "nothing is found at " + sources + ": the application's logging backend keeps no MDC (Logback"
                            + " and Log4j do)");
        }
    }

    void answered(Frame frame, @Nullable Usage usage, long countedOutput, List<Object> parts) {
        Round round = frame.takeRound();
        if (anyIsOfAnother(frame.target, parts)) {
            // A decorator, or a cache: that answer is booked already.
            metering.delegators.add(frame.target);
            if (round != null) {
                rounds.giveUp(round);
            }
            return;
        }
        if (round == null && ((frame.unheld && !frame.delegated) || isOwnBesideInner(frame, usage, parts))) {
            round = ownCallAfterAll(frame);
        }
        if (round != null) {
            Frame outer = frame.around;
            if (outer != null && outer.target == frame.target) {
                outer.innerUsage = usage;
            }
            rounds.book(round, usage, countedOutput);
            for (Object part : parts) {
                metering.settledAnswers.add(part, frame.target);
            }
        }
    }

    private boolean anyIsOfAnother(Object target, List<Object> parts) {
        for (Object part : parts) {
            if (isOfAnother(target, part)) {
                return true;
            }
        }
        return false;
    }

    private boolean isOfAnother(Object target, @Nullable Object answer) {
        try {
            return answer instanceof Throwable thrown
                    ? metering.settledAnswers.isOfAnother(thrown, target)
                    : answer != null && metering.settledAnswers.isOfAnother(answer, target);
        } catch (Throwable fault) {
            metering.fault("recognising an answer", fault);
            return false;
        }
    }

    /**
     * Whether a model that was called again inside its own call, by a listener say, has an answer of its own beside that
     * of the inner call: a subclass that calls its super class has the same answer, or one with the same numbers.
     */
    private boolean isOwnBesideInner(Frame frame, @Nullable Usage usage, List<Object> parts) {
        Usage inner = frame.innerUsage;
        return inner != null
                && usage != null
                && !usage.equals(inner)
                && parts.stream().noneMatch(metering.settledAnswers::isSettled);
    }

    /** A call that nothing was held for, because it was taken for one that is only handed on. */
    private @Nullable Round ownCallAfterAll(Frame frame) {
        metering.delegators.remove(frame.target);
        try {
            ModelCall made = frame.call.get();
            long output = maxOutput(made);
            return rounds.admit(request(frame, made, output), made.inputTokens(), output);
        } catch (Throwable fault) {
            metering.unmetered.increment();
            metering.fault("reserving", fault);
            return null;
        }
    }

    void failed(Frame frame, Failure failure, long countedOutput, @Nullable Throwable thrown) {
        Round round = frame.takeRound();
        if (round == null) {
            return;
        }
        if (isOfAnother(frame.target, thrown)) {
            // A decorator that called the model on another thread: that failure is booked already.
            rounds.giveUp(round);
            return;
        }
        rounds.bookFailure(round, failure, countedOutput);
        if (thrown != null) {
            metering.settledAnswers.add(thrown, frame.target);
        }
    }

    @Nullable
    RuntimeException emitted(Frame frame, Round round, long tokens) {
        try {
            LimitExceededException refused = rounds.emitted(round, tokens);
            return refused == null ? null : toThrow(cutOff(refused, round.counted()), frame);
        } catch (Throwable fault) {
            metering.fault("counting what a stream emits", fault);
            return null;
        }
    }

    private static LimitExceededException cutOff(LimitExceededException refused, long flowed) {
        return new LimitExceededException(
                "the answer was cut off after " + flowed + " tokens: " + refused.getMessage(),
                refused.scope(),
                refused.limit(),
                refused.requested(),
                refused.remaining(),
                refused.retryAfter(),
                refused.reason());
    }

    /** The application wants no more of a stream. */
    void cancel(Frame frame) {
        Round round = frame.takeRound();
        if (round != null) {
            rounds.bookFlowed(round, Failure.CUT_STREAM);
        }
        leave(frame);
    }

    /** A budget has no room for more of a stream. */
    void cut(Frame frame, RuntimeException refusal) {
        Round round = frame.takeRound();
        if (round != null) {
            rounds.bookCut(round, refusal);
        }
        leave(frame);
    }

    /** What flows is the answer of another call, made for this one on a thread where this one is not open. */
    void handsOn(Frame frame) {
        frame.delegated = true;
        Round round = frame.takeRound();
        if (round != null) {
            rounds.giveUp(round);
        }
    }

    /** The first output of a stream that nothing is held for, because its class was seen to hand others' answers on. */
    void streamsByItself(Frame frame) {
        frame.unheld = false;
        metering.delegators.remove(frame.target);
        try {
            ModelCall made = frame.call.get();
            Round round = rounds.admit(
                    request(frame, made, heldAtFirst(frame, made)), made.inputTokens(), mostHeld(frame, made));
            rounds.flows(round);
            frame.begin(round);
        } catch (Throwable fault) {
            metering.unmetered.increment();
            metering.fault("reserving", fault);
        }
    }

    void close(Frame frame) {
        leave(frame);
        Round leftOver = frame.takeRound();
        if (leftOver != null) {
            rounds.bookFailure(leftOver, Failure.REJECTED, 0);
        }
    }

    /** Takes a frame, and what was opened in it and never closed, off the stack of the thread that opened it. */
    void leave(Frame frame) {
        if (!frame.isOfThisThread()) {
            return;
        }
        for (Frame open = metering.topOfStack(); open != null; open = open.outer) {
            if (open == frame) {
                metering.pop(frame);
                return;
            }
        }
    }

    Rounds rounds() {
        return rounds;
    }
}
