package io.tokenbudget.core.metering;

import io.tokenbudget.ReservationRequest;
import io.tokenbudget.Usage;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One model call being metered on one thread.
 *
 * <p>Opened by {@link CallMeter#open}; whoever opened it ends it exactly once, on the same thread, with
 * {@link #succeed} or {@link #fail}; a second end changes nothing. No method throws.
 *
 * <p>Frames of one thread form a stack. A frame that is opened while another is open, and not inside a tool of it, is
 * the same call seen one layer deeper: the inner frame takes the hold over and books, the outer one books nothing more.
 *
 * <pre>
 *   open ── round ── endRound ── enterTools … exitTools ── startRound ── … ── succeed / fail
 * </pre>
 *
 * <p>Not thread-safe: owned by the thread that opened it.
 */
public final class Frame {
    final @Nullable Frame outer;
    final Object target;
    final CallMeter meter;

    @Nullable
    Round round;

    boolean delegated;

    /** Estimates the call. */
    final Supplier<ModelCall> call;

    /** Whether the model is taken for one that only hands calls on, so that nothing is held for it. */
    boolean unheld;

    /** What was last booked for the same model object inside this call, or null. */
    @Nullable
    Usage innerUsage;

    private boolean inTools;
    private boolean ended;
    private @Nullable RuntimeException refusal;
    private @Nullable Object attachment;

    Frame(CallMeter meter, Object target, @Nullable Frame outer, Supplier<ModelCall> call) {
        this.call = call;
        this.meter = meter;
        this.target = target;
        this.outer = outer;
    }

    /** One provider round: the hold and what it was made for. */
    record Round(String reservationId, ReservationRequest request) {}

    /** The exception to throw instead of calling the model, or null. A frame with a refusal has already ended. */
    public @Nullable RuntimeException refusal() {
        return refusal;
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
        Round present = round;
        if (present != null && !ended) {
            round = null;
            meter.book(present, usage, countedOutput);
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
        if (ended || delegated || round != null) {
            return null;
        }
        return meter.hold(this, call);
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
        if (ended) {
            return;
        }
        try {
            meter.answered(this, usage, countedOutput, parts);
        } finally {
            end();
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
        if (ended) {
            return;
        }
        Round present = round;
        round = null;
        try {
            if (present != null) {
                meter.failed(present, target, failure, countedOutput, thrown);
            }
        } finally {
            end();
        }
    }

    void refuse(RuntimeException toThrow) {
        refusal = toThrow;
        end();
    }

    private void end() {
        ended = true;
        meter.close(this);
    }
}
