package io.tokenbudget.core.metering;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.UnknownReservationException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What is held for the calls of a run before the first of them is made; they draw from it. Thread-safe: whoever takes the
 * reservation's id out of the one reference ends it.
 */
public final class UpFront {
    /** Nothing is held, for no run in particular. */
    public static final UpFront NOTHING = new UpFront(null, null, null, null);

    private final @Nullable Run run;
    private final @Nullable RuntimeException refusal;
    private final @Nullable Metering metering;
    private final AtomicReference<@Nullable String> reservation;

    private UpFront(
            @Nullable Run run,
            @Nullable RuntimeException refusal,
            @Nullable Metering metering,
            @Nullable String reservation) {
        this.run = run;
        this.refusal = refusal;
        this.metering = metering;
        this.reservation = new AtomicReference<>(reservation);
    }

    /** A fault of ours, or a stack that is used up, holds nothing: each call has to find room by itself. */
    static UpFront hold(Run run, long tokens, Metering metering, Refusals refusals) {
        ReservationRequest estimate = ReservationRequest.builder()
                .context(run.context())
                .outputTokens(tokens)
                .build();
        Ceilings ceilings = run.ceilings();
        if (!StackRoom.isLeft()) {
            return new UpFront(run, null, metering, null);
        }
        try {
            String id =
                    metering.limiter.reserveUpFront(estimate, ceilings.terms()).id();
            return new UpFront(run.bound(ceilings.holding(id)), null, metering, id);
        } catch (LimitExceededException refused) {
            metering.log(log -> log.refused(estimate, 0, refused));
            return new UpFront(run, refusals.toThrow(refused, run), metering, null);
        } catch (Throwable fault) {
            metering.fault("holding for a run up front", fault);
            return new UpFront(run, null, metering, null);
        }
    }

    /** The run, whose calls draw from this wherever they are made; null for {@link #NOTHING}. */
    public @Nullable Run run() {
        return run;
    }

    /** What to throw instead of beginning the run; null if it may begin. */
    public @Nullable RuntimeException refusal() {
        return refusal;
    }

    /** Whether something is held that has not been given back here. */
    public boolean isHeld() {
        return reservation.get() != null;
    }

    /** No more calls come: gives back what is left. Repeats change nothing, and nothing is thrown. */
    public void end() {
        String id = reservation.getAndSet(null);
        Metering end = metering;
        if (id != null && end != null) {
            end.rounds.end(() -> giveBack(id, end));
        }
    }

    private static void giveBack(String id, Metering metering) {
        try {
            metering.limiter.refund(id);
        } catch (UnknownReservationException forgotten) {
            // It expired so long ago that nothing is left of it to give back.
        } catch (Throwable fault) {
            metering.fault("giving back what was held for a run", fault);
        }
    }
}
