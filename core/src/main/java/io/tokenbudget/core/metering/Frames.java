package io.tokenbudget.core.metering;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.Usage;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens frames and books what they say: which layer of a call is charged, and for what. Thread-safe: a round is of whoever
 * takes it out of its frame.
 */
final class Frames {
    private final Metering metering;
    private final Callers callers;
    private final Refusals refusals;
    private final Rounds rounds;
    private final Holds holds;

    Frames(Metering metering, Callers callers, Refusals refusals) {
        this.metering = metering;
        this.callers = callers;
        this.refusals = refusals;
        this.rounds = metering.rounds;
        this.holds = new Holds(metering.limiter, metering.estimates);
    }

    /** What is opened on this thread, inside of its innermost call. */
    Frame.Place here() {
        return inside(metering.top());
    }

    /** What is opened on this thread, inside of {@code around}. */
    Frame.Place inside(@Nullable Frame around) {
        return new Frame.Place(metering.topOfStack(), around);
    }

    Frame open(Frame.Asked asked, Frame.Place place, @Nullable Run run) {
        Frame outer = place.around();
        Frame frame = new Frame(this, asked, place);
        if (run != null) {
            frame.run = run;
        } else {
            frame.run = outer == null || outer == metering.top() ? callers.run() : outer.run;
        }
        RuntimeException refusal = null;
        if (!StackRoom.isLeft()) {
            // It passes; a call around it that is the same one keeps its hold and ends as if this were not there.
            metering.unmetered.increment();
        } else if (outer != null && !outer.inTools() && outer.kind == frame.kind) {
            refusal = takeOver(outer, frame);
        } else if (metering.delegators.contains(frame.target)) {
            frame.unheld = true;
            beginRun(frame);
        } else {
            refusal = hold(frame, frame.call);
        }
        // Last, so that nothing which goes wrong above leaves a frame on the thread.
        metering.push(frame);
        if (refusal != null) {
            metering.settledAnswers.add(refusal, frame.target);
            frame.refuse(refusal);
        }
        return frame;
    }

    Frame openRefused(Object target, RuntimeException refusal) {
        Frame frame = new Frame(this, Frame.Asked.atOnce(target, CallKind.OTHER, Frames::noCall), here());
        metering.push(frame);
        frame.refuse(refusal);
        return frame;
    }

    private static ModelCall noCall() {
        throw new IllegalStateException("no call is made in this frame");
    }

    /** What is asked for inside of a call for which nothing is held belongs to its run all the same. */
    private void beginRun(Frame frame) {
        try {
            callers.context(frame);
        } catch (Throwable fault) {
            metering.fault("beginning a run", fault);
        }
    }

    /**
     * The same call one layer deeper. The inner layer knows better who calls which model with which bounds, so the outer
     * hold is kept only where it covers the same.
     */
    private @Nullable RuntimeException takeOver(Frame outer, Frame inner) {
        outer.delegated = true;
        Round held = outer.takeRound();
        if (held == null) {
            return hold(inner, inner.call);
        }
        try {
            ModelCall deeper = inner.call.get();
            Hold wanted = holdFor(inner, deeper);
            if (outer.streamed == inner.streamed && held.hold().covers(wanted)) {
                held.boundedBy(wanted.mostOutput());
                wanted.ceilings().metered();
                inner.begin(held);
                return null;
            }
            rounds.giveUp(held);
            return hold(inner, () -> deeper);
        } catch (Throwable fault) {
            metering.fault("taking over the hold of an outer call", fault);
            if (inner.run != null) {
                inner.run.ceilings().metered();
            }
            inner.begin(held);
            return null;
        }
    }

    private Hold holdFor(Frame frame, ModelCall call) {
        Run known = frame.run;
        BudgetContext context = frame.endsElsewhere && known != null ? known.context() : callers.context(frame);
        Run run = frame.run;
        return holds.of(context, run == null ? Ceilings.NONE : run.ceilings(), call, frame.streamed);
    }

    /**
     * Holds for the next round of a call.
     *
     * @return the exception to throw instead of going on, or null
     */
    @Nullable
    RuntimeException startRound(Frame frame, Supplier<ModelCall> call) {
        if (!StackRoom.isLeft()) {
            metering.unmetered.increment();
            return null;
        }
        return hold(frame, call);
    }

    /**
     * Holds for a round.
     *
     * @return the exception to throw instead of making the call, or null
     */
    private @Nullable RuntimeException hold(Frame frame, Supplier<ModelCall> supplier) {
        try {
            return reserve(frame, supplier.get());
        } catch (Throwable fault) {
            unmetered(fault);
            return null;
        }
    }

    private @Nullable RuntimeException reserve(Frame frame, ModelCall call) {
        Hold wanted = holdFor(frame, call);
        try {
            begin(frame, rounds.hold(wanted));
        } catch (LimitExceededException refused) {
            long outputByDefault = call.boundsOutput() ? 0 : wanted.request().outputTokens();
            metering.log(log -> log.refused(wanted.request(), outputByDefault, refused));
            return refusals.toThrow(refused, frame.run);
        }
        return null;
    }

    private void begin(Frame frame, Round round) {
        if (frame.streamed) {
            rounds.flows(round);
        }
        frame.begin(round);
        sayReservation(frame, round);
        // The call may have been ended meanwhile, by a thread that found no round to end.
        Round late = frame.hasEnded() ? frame.takeRound() : null;
        if (late != null) {
            rounds.giveUp(late);
        }
    }

    private void sayReservation(Frame frame, Round round) {
        if (frame.isOfThisThread()) {
            String before = callers.reservation(round.reservationId());
            if (!frame.saysReservation) {
                frame.saysReservation = true;
                frame.saidBefore = before;
            }
        }
    }

    private void unsayReservation(Frame frame) {
        if (frame.saysReservation) {
            frame.saysReservation = false;
            callers.reservation(frame.saidBefore);
        }
    }

    void chargeUnlessMetered(Run run, Usage usage) {
        if (usage.total() == 0 || run.ceilings().isMetered()) {
            return;
        }
        if (!StackRoom.isLeft()) {
            metering.unmetered.increment();
            return;
        }
        try {
            ReservationRequest made = ReservationRequest.builder()
                    .context(run.context())
                    .inputTokens(usage.inputTokens())
                    .outputTokens(usage.outputTokens())
                    .build();
            rounds.charge(made, run.ceilings(), usage);
        } catch (Throwable fault) {
            unmetered(fault);
        }
    }

    private void unmetered(Throwable fault) {
        metering.unmetered.increment();
        metering.fault("reserving", fault);
    }

    void endRound(Frame frame, @Nullable Usage usage, long countedOutput) {
        Round present = frame.takeRound();
        if (present != null) {
            tellOuter(frame, usage);
            rounds.end(() -> rounds.book(present, usage, countedOutput));
        }
    }

    /** Ends a frame by {@code booking}: now, or when there is stack for it. It leaves its thread in any case. */
    void end(Frame frame, Runnable booking) {
        Runnable end = () -> {
            try {
                booking.run();
            } finally {
                close(frame);
            }
        };
        if (StackRoom.isLeft()) {
            end.run();
        } else {
            frame.endsElsewhere = true;
            rounds.endLater(end);
            leave(frame);
        }
    }

    /** A subclass that asks its super class once or more answers with what that has been booked with. */
    private static void tellOuter(Frame frame, @Nullable Usage booked) {
        Frame outer = frame.around;
        if (booked != null && outer != null && outer.target == frame.target && outer.kind == frame.kind) {
            outer.bookedInside(booked);
        }
    }

    void answered(Frame frame, @Nullable Usage usage, long countedOutput, List<Object> parts) {
        Round round = frame.takeRound();
        if (metering.settledAnswers.anyIsOfAnother(parts, frame.target)) {
            // A decorator, or a cache: that answer is booked already.
            metering.delegators.handedOn(frame.target);
            if (round != null) {
                rounds.giveUp(round);
            }
            return;
        }
        if (round == null
                && ((frame.unheld && !frame.delegated)
                        || metering.settledAnswers.isOwnBeside(frame.innerUsage, usage, parts))) {
            round = ownCallAfterAll(frame);
        }
        if (round != null) {
            metering.delegators.answered(frame.target);
            tellOuter(frame, usage);
            rounds.book(round, usage, countedOutput);
            for (Object part : parts) {
                metering.settledAnswers.add(part, frame.target);
            }
        }
    }

    /** A call that nothing was held for, because it was taken for one that is only handed on. */
    private @Nullable Round ownCallAfterAll(Frame frame) {
        try {
            return rounds.admit(holdFor(frame, frame.call.get()));
        } catch (Throwable fault) {
            unmetered(fault);
            return null;
        }
    }

    void failed(Frame frame, Failure failure, long countedOutput, @Nullable Throwable thrown) {
        Round round = frame.takeRound();
        if (round == null) {
            return;
        }
        if (metering.settledAnswers.isOfAnother(thrown, frame.target)) {
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
            return refused == null ? null : refusals.cutOff(refused, round.counted(), frame.run);
        } catch (Throwable fault) {
            metering.fault("counting what a stream emits", fault);
            return null;
        }
    }

    OutputCounter output(@Nullable String model) {
        return new OutputCounter(metering.estimates.of(model).textLength());
    }

    /** The application wants no more of a stream. */
    void cancel(Frame frame) {
        Round round = frame.takeRound();
        if (round != null) {
            rounds.bookLeft(round);
        }
    }

    /** How much has flowed is not known. */
    void unseen(Frame frame) {
        Round round = frame.takeRound();
        if (round != null) {
            rounds.book(round, null, round.heldOutput());
        }
    }

    /** A budget has no room for more of a stream. */
    void cut(Frame frame, RuntimeException refusal) {
        Round round = frame.takeRound();
        if (round != null) {
            rounds.bookCut(round, refusal);
        }
    }

    /** What flows is the answer of another call, made for this one on a thread where this one is not open. */
    void handsOn(Frame frame) {
        frame.delegated = true;
        Round round = frame.takeRound();
        if (round != null) {
            rounds.end(() -> rounds.giveUp(round));
        }
    }

    /** The first output of a stream that nothing is held for, because its class was seen to hand others' answers on. */
    void streamsByItself(Frame frame) {
        frame.unheld = false;
        metering.delegators.answered(frame.target);
        try {
            StackRoom.require();
            begin(frame, rounds.admit(holdFor(frame, frame.call.get())));
        } catch (Throwable fault) {
            unmetered(fault);
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
                unsayReservation(frame);
                metering.pop(frame);
                return;
            }
        }
    }
}
