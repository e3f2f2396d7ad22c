package io.tokenbudget.core.metering;

import io.tokenbudget.Reservation;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.Usage;
import org.jspecify.annotations.Nullable;

/**
 * One provider round: the hold, what it was made for, and what has flowed of its answer so far.
 *
 * <p>Thread-safe: what changes is guarded by the round itself, because a stream's pieces, its end and its expiry may come on
 * three threads.
 */
final class Round {
    /** Our count and a provider's differ by less than this, but in answers of a few words. */
    private static final long TOKENIZERS_DIFFER = 4;

    private static final long FEW_TOKENS = 16;

    private final Hold hold;

    /** Another one when what flows after the expiry of the first is held anew. */
    private volatile String reservationId;

    /** Most output that the request allows; more than this is never held. */
    private long mostOutput;

    /** With whom the hold is shared; null if its call has no name. */
    private volatile Attempts.@Nullable Sharing sharing;

    /** Output that is held, or was booked when a hold expired. */
    private long heldOutput;

    private long expiresAt;
    private long counted;
    private boolean refusedAhead;
    private boolean ended;
    private boolean expired;
    private @Nullable Usage reported;
    private long countedWhenReported;
    private Usage booked = Usage.of(0, 0);

    Round(Reservation reservation, Hold hold, Attempts.@Nullable Sharing sharing) {
        this.reservationId = reservation.id();
        this.hold = hold;
        this.mostOutput = hold.mostOutput();
        this.sharing = sharing;
        this.heldOutput = reservation.outputTokens();
        this.expiresAt = reservation.expiresAt().toEpochMilli();
    }

    String reservationId() {
        return reservationId;
    }

    /** What was held when the round began. */
    Hold hold() {
        return hold;
    }

    /** What was asked for when the round began. */
    ReservationRequest request() {
        return hold.request();
    }

    /** Ends the hold, or, while others go on under it, does {@code beside} instead. */
    void endHold(Runnable end, Runnable beside) {
        Attempts.Sharing shared = sharing;
        if (shared == null) {
            end.run();
        } else {
            shared.end(end, beside);
        }
    }

    synchronized void count(long tokens) {
        counted += tokens;
    }

    synchronized long counted() {
        return counted;
    }

    /** How many more output tokens to hold so that {@code ahead} are held beyond what has flowed; 0 if enough are. */
    synchronized long wanted(long ahead, long chunk) {
        long left = heldOutput - counted;
        if (ended || expired || heldOutput >= mostOutput || left >= (refusedAhead ? 0 : ahead)) {
            return 0;
        }
        long more = Math.max(0, -left) + (refusedAhead ? 0 : chunk);
        return Math.min(mostOutput - heldOutput, more);
    }

    synchronized void grew(long tokens) {
        heldOutput += tokens;
    }

    /** Output tokens held by now. */
    synchronized long heldOutput() {
        return heldOutput;
    }

    /** The call is bounded by {@code output}, as who makes it knows better than who decorates it. */
    synchronized void boundedBy(long output) {
        mostOutput = output;
    }

    /**
     * No more could be held ahead of need: from now on no more is asked for than has flowed.
     *
     * @return how much more has flowed than is held, which must be held at least if the stream is to go on
     */
    synchronized long refusedMore() {
        refusedAhead = true;
        return lacking();
    }

    synchronized long expiresAt() {
        return expiresAt;
    }

    synchronized void lastsUntil(long time) {
        expiresAt = time;
    }

    /** Keeps the largest usage that the provider reports in the course of a stream: some repeat it, some let it grow. */
    synchronized void report(Usage usage) {
        if (reported == null || usage.total() >= reported.total()) {
            reported = usage;
            countedWhenReported = counted;
        }
    }

    /** What the provider reported after the last output; null where more has flowed since, as behind a first message. */
    synchronized @Nullable Usage reportedLast() {
        return counted > countedWhenReported ? null : reported;
    }

    /**
     * Whether usage says so much less of the output than was counted that it can only be what a provider reports when an
     * answer begins: the last report of a stream that was cut off cleanly. It is kept for its input.
     */
    synchronized boolean isOfTheBeginning(Usage usage) {
        boolean beginning = counted > TOKENIZERS_DIFFER * usage.outputTokens() + FEW_TOKENS;
        if (beginning) {
            report(usage);
        }
        return beginning;
    }

    /** The estimated input, and what has flowed: at least what the provider has reported of both. */
    synchronized Usage flowed() {
        Usage known = reported;
        long output = Math.max(counted, known == null ? 0 : known.outputTokens());
        if (known == null || known.inputTokens() == 0) {
            return Usage.of(request().inputTokens(), output);
        }
        return new Usage(
                known.inputTokens(),
                known.cachedInputTokens(),
                known.cacheWriteTokens(),
                output,
                known.reasoningTokens());
    }

    /** Ends it. False if it has ended. */
    synchronized boolean end() {
        boolean first = !ended;
        ended = true;
        return first;
    }

    synchronized boolean hasEnded() {
        return ended;
    }

    /** Whether its hold has expired, and nothing is held for what has flowed since. */
    synchronized boolean hasExpired() {
        return expired && !ended;
    }

    /** Whether its hold is its own to end, and has not expired. */
    synchronized boolean isHeld() {
        return !expired;
    }

    /** Its hold has expired, and {@code flowed} is booked of it by now. */
    synchronized void expired(Usage flowed) {
        expired = true;
        booked = flowed;
        heldOutput = flowed.outputTokens();
    }

    /** What has flowed since its hold expired is held anew, by {@code reservation}. */
    synchronized void resumed(Reservation reservation) {
        expired = false;
        sharing = null;
        reservationId = reservation.id();
        heldOutput += reservation.outputTokens();
        expiresAt = reservation.expiresAt().toEpochMilli();
    }

    /** Output that has flowed and is neither held nor booked. */
    synchronized long lacking() {
        return Math.max(0, counted - heldOutput);
    }

    /** How much output to hold so that {@code chunk} of it is beyond what has flowed, if that much is allowed. */
    synchronized long wantedAnew(long chunk) {
        long lacking = lacking();
        return Math.max(lacking, Math.min(mostOutput - heldOutput, lacking + chunk));
    }

    /** What is to be booked still of {@code usage}, beside what was booked when holds of it expired. */
    synchronized Usage beyondBooked(Usage usage) {
        if (booked.total() == 0) {
            return usage;
        }
        long input = Math.max(0, usage.inputTokens() - booked.inputTokens());
        long output = Math.max(0, usage.outputTokens() - booked.outputTokens());
        long cached = Math.min(input, usage.cachedInputTokens());
        return new Usage(
                input,
                cached,
                Math.min(input - cached, usage.cacheWriteTokens()),
                output,
                Math.min(output, Math.max(0, usage.reasoningTokens() - booked.reasoningTokens())));
    }

    /** Whether some of it was booked when a hold of it expired. */
    synchronized boolean isPartlyBooked() {
        return booked.total() > 0;
    }
}
