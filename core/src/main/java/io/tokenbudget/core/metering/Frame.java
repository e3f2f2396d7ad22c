package io.tokenbudget.core.metering;

import io.tokenbudget.Usage;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One model call being metered.
 *
 * <p>Opened by {@link CallMeter#open} or {@link CallMeter#openStream}; whoever opened it ends it, with {@link #succeed},
 * {@link #fail} or {@link #cancel}; the first end counts and every other changes nothing. No method throws.
 *
 * <p>Frames of one thread form a stack. A frame that is opened while another of its kind is open, and not inside a tool of
 * it, is the same call seen one layer deeper: the inner frame takes the hold over and books, the outer one books nothing more.
 *
 * <pre>
 *   open ── round ── endRound ── enterTools … exitTools ── startRound ── … ── succeed / fail
 *   openStream ── detach ── emitted, reported … ── succeed / fail / cancel
 * </pre>
 *
 * <p>A frame of a blocking call is owned by the thread that opened it. A streamed one leaves its thread's stack with
 * {@link #detach}; what its stream says may come on any threads: the round is one atomic reference, which whoever ends the
 * round takes, so that it is booked once.
 */
public final class Frame {
    private static final AtomicLong OPENED = new AtomicLong();

    /** What was open on the thread. */
    final @Nullable Frame outer;

    /** What this was opened within: the same call one layer higher, or one whose tools run, or null. */
    final @Nullable Frame around;

    final Object target;
    private final Frames frames;

    /** Whether the answer flows, so that output may be held bit by bit. */
    final boolean streamed;

    /** What is asked for. */
    final CallKind kind;

    /** Estimates the call. */
    final Supplier<ModelCall> call;

    /** The run this call belongs to; set once, when it is known who calls. */
    volatile @Nullable Run run;

    /** The present round, of whoever takes it out. */
    private final AtomicReference<@Nullable Round> round = new AtomicReference<>();

    private final AtomicBoolean ended = new AtomicBoolean();
    /** In the order in which frames are opened. */
    final long number = OPENED.incrementAndGet();

    private final Thread opener = Thread.currentThread();

    /** How deep in helping others its thread was. */
    final int helping = Helping.depth();

    volatile boolean delegated;

    /** Whether the model is taken for one that only hands calls on, so that nothing is held for it. */
    volatile boolean unheld;

    /** Whether it is ended by a thread that has nothing to do with it: what that says of its caller is not for this call. */
    volatile boolean endsElsewhere;

    /** What was booked for the same model object inside this call; null if nothing was. */
    volatile @Nullable InnerUsage innerUsage;

    /** Whether its thread says which reservation is held, and what it said before. Of the thread that opened it. */
    boolean saysReservation;

    @Nullable
    String saidBefore;

    private volatile boolean inTools;
    private volatile @Nullable RuntimeException refusal;
    private @Nullable Object attachment;

    Frame(Frames frames, Asked asked, Place place) {
        this.frames = frames;
        this.target = asked.target;
        this.kind = asked.kind;
        this.streamed = asked.streamed;
        this.call = asked.call;
        this.outer = place.outer;
        this.around = place.around;
    }

    /**
     * What a frame is opened around.
     *
     * @param target the model object that is asked
     * @param streamed whether the answer flows
     * @param call estimates it
     */
    record Asked(Object target, CallKind kind, boolean streamed, Supplier<ModelCall> call) {
        /** Of a method that returns the answer. */
        static Asked atOnce(Object target, CallKind kind, Supplier<ModelCall> call) {
            return new Asked(target, kind, false, call);
        }

        /** Of a stream. */
        static Asked streamed(Object target, CallKind kind, Supplier<ModelCall> call) {
            return new Asked(target, kind, true, call);
        }
    }

    /** Where a frame is opened: on top of what, and inside what. */
    record Place(@Nullable Frame outer, @Nullable Frame around) {}

    /** The id of what is held for the present round; null without one. */
    @Nullable
    String reservation() {
        Round present = round.get();
        return present == null ? null : present.reservationId();
    }

    /** The present round, which is then the caller's to end; null if there is none. */
    @Nullable
    Round takeRound() {
        return round.getAndSet(null);
    }

    /** A call of the same model object inside of this one was booked. Calls of one frame's layers come one after the other. */
    void bookedInside(Usage booked) {
        InnerUsage inner = innerUsage;
        if (inner == null) {
            inner = new InnerUsage();
            innerUsage = inner;
        }
        inner.add(booked);
    }

    void begin(Round begun) {
        round.set(begun);
    }

    /** The exception to throw instead of calling the model, or null. A frame with a refusal has already ended. */
    public @Nullable RuntimeException refusal() {
        return refusal;
    }

    /** The run this call belongs to, for {@link CallMeter#enterRun}; null if it could not be found out. */
    public @Nullable Run run() {
        return run;
    }

    /** Whether {@code model} is the object this frame was opened for. */
    public boolean isFor(Object model) {
        return target == model;
    }

    /**
     * Whether an inner frame took this call over, or will be assumed to: then nothing said here about rounds counts.
     */
    public boolean isDelegated() {
        return delegated;
    }

    /** Whether a tool runs now, between two rounds. */
    public boolean inTools() {
        return inTools;
    }

    /** Counts output as the model of the present round would count it; without a round, as any model would. */
    public OutputCounter output() {
        Round present = round.get();
        return frames.output(present == null ? null : present.request().model());
    }

    /** What the integration that opened this frame keeps with the call, or null. */
    public @Nullable Object attachment() {
        return attachment;
    }

    /** Keeps {@code state} with this call, for as long as the frame is open. */
    public void attach(@Nullable Object state) {
        attachment = state;
    }

    /**
     * Ends the present round with what the provider reported. Without a round, nothing happens.
     *
     * @param usage null if the provider reported none
     * @param countedOutput output tokens counted in the answer, used where {@code usage} is null
     */
    public void endRound(@Nullable Usage usage, long countedOutput) {
        if (!ended.get()) {
            frames.endRound(this, usage, countedOutput);
        }
    }

    /** Tools run from now on: a model call inside them is a call of its own. */
    public void enterTools() {
        inTools = true;
    }

    /** Tools have ended. */
    public void exitTools() {
        inTools = false;
    }

    /**
     * Opens the next round of the same call.
     *
     * @return the exception to throw instead of going on, or null
     */
    public @Nullable RuntimeException startRound(Supplier<ModelCall> call) {
        if (ended.get() || delegated || round.get() != null) {
            return null;
        }
        return frames.startRound(this, call);
    }

    /**
     * Ends the call with its answer.
     *
     * @param usage of the present round; null if the provider reported none
     * @param countedOutput output tokens counted in the answer, used where {@code usage} is null
     * @param answer the object that carries the answer, by which a decorator that hands on another model's answer is
     *     recognised; may be null
     */
    public void succeed(@Nullable Usage usage, long countedOutput, @Nullable Object answer) {
        succeedWith(usage, countedOutput, answer == null ? List.of() : List.of(answer));
    }

    /**
     * Ends the call with its answer.
     *
     * @param usage of the present round; null if the provider reported none
     * @param countedOutput output tokens counted in the answer, used where {@code usage} is null
     * @param parts objects of the answer that no other answer has: a decorator that makes an answer of its own keeps one
     *     of them at least, and is recognised by it
     */
    public void succeedWith(@Nullable Usage usage, long countedOutput, List<Object> parts) {
        if (end()) {
            frames.end(this, () -> frames.answered(this, usage, countedOutput, parts));
        }
    }

    /** Ends the call with a failure. */
    public void fail(Failure failure, long countedOutput) {
        fail(failure, countedOutput, null);
    }

    /**
     * Ends the call with a failure.
     *
     * @param thrown what the application gets, by which a decorator that hands on another model's failure is recognised,
     *     also among its causes; may be null
     */
    public void fail(Failure failure, long countedOutput, @Nullable Throwable thrown) {
        if (end()) {
            frames.end(this, () -> frames.failed(this, failure, countedOutput, thrown));
        }
    }

    /** Ends a streamed call that the application wants no more of: what has flowed is booked. */
    public void cancel() {
        if (end()) {
            frames.end(this, () -> frames.cancel(this));
        }
    }

    /** Ends a call of which nobody knows what has flowed: all that was held is booked, and it counts as one without usage. */
    public void endUnseen() {
        if (end()) {
            frames.end(this, () -> frames.unseen(this));
        }
    }

    /**
     * Takes the frame of a streamed call off its thread's stack, when the method that began the stream has returned. Called
     * on the thread that opened it; the call goes on.
     */
    public void detach() {
        frames.leave(this);
    }

    /**
     * Counts output of a streamed answer and holds more of it ahead of need.
     *
     * @param tokens text, thinking or arguments of tools, as counted
     * @return null if the stream may go on; otherwise no more can be held and more has flowed than is held: the call has
     *     ended and what flowed is booked, the provider's stream is to be closed, and this is what the application gets
     */
    public @Nullable RuntimeException emitted(long tokens) {
        if (unheld && !delegated && !ended.get()) {
            frames.streamsByItself(this);
        }
        Round present = round.get();
        RuntimeException cut = present == null ? null : frames.emitted(this, present, tokens);
        if (cut == null || !end()) {
            return null;
        }
        frames.end(this, () -> frames.cut(this, cut));
        return cut;
    }

    /** Takes down usage that the provider reports in the course of a stream. The largest counts, never a sum. */
    public void reported(Usage usage) {
        Round present = round.get();
        if (present != null && usage.total() > 0) {
            present.report(usage);
        }
    }

    /**
     * What this stream says next is what {@code inner} says, which was opened for it elsewhere: then this is the call of a
     * decorator, and books nothing. Called before it is counted, each time; nothing if {@code inner} was opened first, by whom
     * this stream is asked for.
     */
    public void handsOn(Frame inner) {
        if (inner != this && !delegated && inner.number > number && !hasEnded()) {
            frames.handsOn(this);
        }
    }

    /** Whether the call has ended. */
    public boolean hasEnded() {
        return ended.get();
    }

    void refuse(RuntimeException toThrow) {
        refusal = toThrow;
        if (end()) {
            frames.close(this);
        }
    }

    boolean isOfThisThread() {
        return opener == Thread.currentThread();
    }

    /** Ends the call; false if it has ended. Only the thread that opened it finds it on its stack. */
    private boolean end() {
        return ended.compareAndSet(false, true);
    }
}
