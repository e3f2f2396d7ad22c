package io.tokenbudget.core.metering;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.UnknownReservationException;
import io.tokenbudget.Usage;
import io.tokenbudget.core.config.OnFailure;
import java.util.List;
import java.util.Objects;
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

    /** Set once; two threads that both find it unset say the same, and the notices drop the second. */
    private volatile boolean mdcLookedAt;

    CallMeter(Metering metering, CallerSource caller, RefusalFactory refusals) {
        this.metering = metering;
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
        Frame outer = metering.top();
        Frame frame = new Frame(this, target, outer, call);
        RuntimeException refusal = null;
        if (outer != null && !outer.inTools()) {
            refusal = takeOver(outer, frame, call);
        } else if (metering.delegators.contains(target)) {
            frame.unheld = true;
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
        return text == null ? null : refusalTexts.find(text);
    }

    /**
     * Opens a frame around a call that must not be made, because a refusal has ended the run it belongs to. Nothing is
     * reserved.
     */
    public Frame openRefused(Object target, RuntimeException refusal) {
        Frame frame = new Frame(this, target, metering.top(), CallMeter::noCall);
        metering.push(frame);
        frame.refuse(refusal);
        return frame;
    }

    private static ModelCall noCall() {
        throw new IllegalStateException("no call is made in this frame");
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
        Frame.Round held = outer.round;
        outer.round = null;
        if (held == null) {
            return hold(inner, call);
        }
        try {
            ModelCall deeper = call.get();
            if (Objects.equals(held.request().model(), deeper.model())
                    && held.request().context().equals(context())
                    && deeper.inputTokens() <= held.request().inputTokens()
                    && maxOutput(deeper) <= held.request().outputTokens()) {
                inner.round = held;
                return null;
            }
            giveUp(held);
            return hold(inner, () -> deeper);
        } catch (Throwable fault) {
            metering.fault("taking over the hold of an outer call", fault);
            inner.round = held;
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

    private ReservationRequest request(ModelCall call) {
        ReservationRequest.Builder request = ReservationRequest.builder()
                .context(context())
                .inputTokens(call.inputTokens())
                .outputTokens(maxOutput(call));
        String model = call.model();
        if (model != null && !model.isBlank()) {
            request.model(model);
        }
        return request.build();
    }

    private @Nullable RuntimeException reserve(Frame frame, ModelCall call) {
        ReservationRequest asked = request(call);
        try {
            frame.round = new Frame.Round(metering.limiter.reserve(asked).id(), asked);
            metering.metered.increment();
            return null;
        } catch (LimitExceededException refused) {
            long outputByDefault = call.boundsOutput() ? 0 : asked.outputTokens();
            metering.log(log -> log.refused(asked, outputByDefault, refused));
            return toThrow(refused);
        }
    }

    private RuntimeException toThrow(LimitExceededException refused) {
        RuntimeException refusal = refused;
        try {
            refusal = refusals.toThrow(refused);
        } catch (Throwable fault) {
            metering.fault("making the exception of a refusal", fault);
        }
        refusalTexts.add(refusal);
        return refusal;
    }

    private long maxOutput(ModelCall call) {
        Integer bound = call.maxOutputTokens();
        long perAnswer = bound != null && call.boundsOutput()
                ? bound
                : metering.limiter.settings().estimates().maxOutput(call.model());
        return Math.multiplyExact(perAnswer, Math.max(1, call.answers()));
    }

    private BudgetContext context() {
        return metering.limiter.identify(caller.current(), this::mdc);
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
                    "nothing is found at " + sources + ": the application's logging backend keeps no MDC, as Logback"
                            + " and Log4j do");
        }
    }

    void answered(Frame frame, @Nullable Usage usage, long countedOutput, List<Object> parts) {
        Frame.Round round = frame.round;
        frame.round = null;
        if (anyIsOfAnother(frame.target, parts)) {
            // A decorator, or a cache: that answer is booked already.
            metering.delegators.add(frame.target);
            if (round != null) {
                giveUp(round);
            }
            return;
        }
        if (round == null && ((frame.unheld && !frame.delegated) || isOwnBesideInner(frame, usage, parts))) {
            round = ownCallAfterAll(frame);
        }
        if (round != null) {
            Frame outer = frame.outer;
            if (outer != null && outer.target == frame.target) {
                outer.innerUsage = usage;
            }
            book(round, usage, countedOutput);
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
    private Frame.@Nullable Round ownCallAfterAll(Frame frame) {
        metering.delegators.remove(frame.target);
        try {
            ReservationRequest made = request(frame.call.get());
            Frame.Round round = new Frame.Round(metering.limiter.admit(made).id(), made);
            metering.metered.increment();
            return round;
        } catch (Throwable fault) {
            metering.unmetered.increment();
            metering.fault("reserving", fault);
            return null;
        }
    }

    void book(Frame.Round round, @Nullable Usage usage, long countedOutput) {
        try {
            ReservationRequest request = round.request();
            if (usage == null || usage.total() == 0) {
                metering.usageMissing.increment();
                keep(round, countedOutput, null);
            } else {
                settle(round, usage);
                metering.ratios.add(request.model(), request.inputTokens(), usage.inputTokens());
                metering.log(log -> log.answered(request, usage));
            }
        } catch (Throwable fault) {
            metering.fault("settling", fault);
        }
    }

    void failed(Frame.Round round, Object target, Failure failure, long countedOutput, @Nullable Throwable thrown) {
        if (isOfAnother(target, thrown)) {
            // A decorator that called the model on another thread: that failure is booked already.
            giveUp(round);
            return;
        }
        bookFailure(round, failure, countedOutput);
        if (thrown != null) {
            metering.settledAnswers.add(thrown, target);
        }
    }

    private void giveUp(Frame.Round round) {
        try {
            refund(round);
            metering.metered.decrement();
        } catch (Throwable fault) {
            metering.fault("giving a hold up", fault);
        }
    }

    void bookFailure(Frame.Round round, Failure failure, long countedOutput) {
        try {
            OnFailure onFailure = metering.limiter.settings().onFailure();
            OnFailure.Booking booking = switch (failure) {
                case REJECTED -> onFailure.rejected();
                case TIMEOUT -> onFailure.timeout();
                case CUT_STREAM -> onFailure.cutStream();
                case UNUSABLE_ANSWER -> onFailure.unusableAnswer();
            };
            switch (booking) {
                case REFUND -> {
                    refund(round);
                    metering.log(log -> log.refunded(round.request(), failure));
                }
                case KEEP_INPUT -> keep(round, 0, failure);
                case KEEP_COUNTED -> keep(round, countedOutput, failure);
                case KEEP_ESTIMATE -> keep(round, round.request().outputTokens(), failure);
            }
        } catch (Throwable fault) {
            metering.fault("booking a failed call", fault);
        }
    }

    private void keep(Frame.Round round, long output, @Nullable Failure failure) {
        Usage booked = Usage.of(round.request().inputTokens(), Math.max(0, output));
        settle(round, booked);
        metering.log(log -> log.kept(round.request(), booked, failure));
    }

    private void settle(Frame.Round round, Usage usage) {
        try {
            metering.limiter.settle(round.reservationId(), usage);
        } catch (UnknownReservationException forgotten) {
            // The call outlasted its hold and the memory of it: what it used is booked all the same.
            metering.limiter.charge(round.request(), usage);
        }
    }

    private void refund(Frame.Round round) {
        try {
            metering.limiter.refund(round.reservationId());
        } catch (UnknownReservationException forgotten) {
            metering.notices.warn(
                    "forgotten", "a call outlasted its hold, which had expired: there was nothing to refund");
        }
    }

    void close(Frame frame) {
        metering.pop(frame);
        Frame.Round leftOver = frame.round;
        frame.round = null;
        if (leftOver != null) {
            bookFailure(leftOver, Failure.REJECTED, 0);
        }
    }
}
