package io.tokenbudget.core.metering;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.Reservation;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.UnknownReservationException;
import io.tokenbudget.Usage;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.HoldTerms;
import io.tokenbudget.core.config.OnFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Holds and books the rounds of calls. Thread-safe: a round is ended by whoever took it out of its frame, so only its growth
 * and its expiry meet anything else, and both ask the round.
 */
final class Rounds {
    /** By one call, so that none pays for all the others; each begins one run at most. */
    private static final int MOST_RUNS_FORGOTTEN = 64;

    private final Metering metering;
    private final DefaultTokenLimiter limiter;
    private final OpenStreams open = new OpenStreams();
    private final Attempts attempts;
    private final LateEnds late = new LateEnds();

    Rounds(Metering metering, DefaultTokenLimiter limiter) {
        this.metering = metering;
        this.limiter = limiter;
        this.attempts = new Attempts(limiter);
    }

    /** Holds it, or joins the hold of the same call where its caller has named it. */
    Round hold(Hold wanted) {
        bookExpired();
        metering.unnamedRuns.forget(MOST_RUNS_FORGOTTEN, limiter::endRun);
        String key = wanted.request().context().idempotencyKey();
        Round round = key == null ? new Round(wanted.reserve(limiter), wanted, null) : attempts.hold(key, wanted);
        wanted.ceilings().metered();
        metering.metered.increment();
        return round;
    }

    /** Holds for a call that was made already, whatever the limits say. */
    Round admit(Hold made) {
        bookExpired();
        Reservation reservation = limiter.admit(made.request(), made.ceilings().terms());
        made.ceilings().metered();
        metering.metered.increment();
        return new Round(reservation, made, null);
    }

    /** Books what a call has used that nobody held for, whatever the limits say. */
    void charge(ReservationRequest made, Ceilings ceilings, Usage usage) {
        bookExpired();
        Reservation reservation = limiter.admit(made, ceilings.terms());
        limiter.settle(reservation.id(), usage);
        ceilings.metered();
        metering.metered.increment();
        metering.log(log -> log.answered(made, usage));
    }

    /** Does {@code end} when there is stack for it: now, or when somebody comes by. */
    void end(Runnable end) {
        if (StackRoom.isLeft()) {
            end.run();
        } else {
            endLater(end);
        }
    }

    /** Leaves {@code end} to whoever makes the next call, or asks for the report. */
    void endLater(Runnable end) {
        late.add(end);
    }

    /** From now on the round ends by its expiry, if nothing else ends it. */
    void flows(Round round) {
        open.add(round);
    }

    /** How many streams are under way. */
    int flowing() {
        return open.size();
    }

    /**
     * Counts output, and holds more where little is left.
     *
     * @return null if the stream may go on
     */
    @Nullable
    LimitExceededException emitted(Round round, long tokens) {
        long now = limiter.clock().millis();
        if (now >= round.expiresAt()) {
            StackRoom.require();
            bookExpired();
        }
        round.count(tokens);
        if (round.hasExpired()) {
            StackRoom.require();
            return resume(round);
        }
        int chunk = limiter.settings().streaming().chunk();
        long more = round.wanted(chunk / 2, chunk);
        LimitExceededException refused = more == 0 ? null : grow(round, more);
        if (refused != null) {
            long lacking = round.refusedMore();
            // The rest of the budget may be less than a chunk.
            LimitExceededException cut = lacking == 0 || lacking == more ? refused : grow(round, lacking);
            if (cut != null && lacking > 0) {
                return cut;
            }
        }
        return keepAlive(round, now);
    }

    private @Nullable LimitExceededException grow(Round round, long more) {
        StackRoom.require();
        String reservation = round.reservationId();
        try {
            limiter.topUp(reservation, more);
            round.grew(more);
            return null;
        } catch (LimitExceededException refused) {
            return refused;
        } catch (UnknownReservationException | IllegalStateException ended) {
            return goOn(round, reservation);
        }
    }

    /** A stream that flows does not expire. */
    private @Nullable LimitExceededException keepAlive(Round round, long now) {
        Duration hold = limiter.settings().hold();
        if (now < round.expiresAt() - hold.toMillis() / 2 || round.hasEnded()) {
            return null;
        }
        StackRoom.require();
        String reservation = round.reservationId();
        try {
            round.lastsUntil(limiter.extend(reservation, hold).expiresAt().toEpochMilli());
            return null;
        } catch (UnknownReservationException | IllegalStateException ended) {
            return goOn(round, reservation);
        }
    }

    /** A stream whose hold has ended, by expiry as a rule, before it was looked at here. */
    private @Nullable LimitExceededException goOn(Round round, String reservation) {
        if (round.reservationId().equals(reservation)) {
            open.remove(round);
            expire(round);
        }
        return resume(round);
    }

    /**
     * Holds anew for a stream that was silent until its hold expired and flows again: what was booked then stays, and from
     * here on it grows, expires and ends like any other. A call of its own to the ledger, which cannot tell it from another
     * attempt.
     *
     * @return the refusal of what has flowed since, by which the stream ends; null if it may go on
     */
    private @Nullable LimitExceededException resume(Round round) {
        synchronized (round) {
            if (!round.hasExpired() || round.lacking() == 0) {
                return null;
            }
            long wanted = round.wantedAnew(limiter.settings().streaming().chunk());
            LimitExceededException refused = resume(round, wanted);
            if (refused != null) {
                long lacking = round.refusedMore();
                LimitExceededException cut = lacking == wanted ? refused : resume(round, lacking);
                if (cut != null) {
                    return cut;
                }
            }
        }
        // Outside of the round's lock: that of the open streams comes before it.
        open.add(round);
        if (round.hasEnded()) {
            open.remove(round);
        }
        return null;
    }

    private @Nullable LimitExceededException resume(Round round, long output) {
        ReservationRequest first = round.request();
        ReservationRequest.Builder rest =
                ReservationRequest.builder().context(first.context()).outputTokens(output);
        String model = first.model();
        if (model != null) {
            rest.model(model);
        }
        try {
            round.resumed(round.hold().reserveMore(rest.build(), limiter));
            return null;
        } catch (LimitExceededException refused) {
            return refused;
        }
    }

    /** Books what has flowed of streams whose holds have expired, and what could not be booked where it ended. */
    void bookExpired() {
        late.run();
        for (Round round : open.bookExpired(limiter.clock().millis(), this::expire)) {
            if (round.hasExpired()) {
                metering.log(log -> log.kept(round.request(), round.flowed(), Failure.CUT_STREAM));
            }
        }
    }

    private void expire(Round round) {
        try {
            synchronized (round) {
                if (!round.hasEnded() && !round.hasExpired()) {
                    Usage flowed = round.flowed();
                    Usage rest = round.beyondBooked(flowed);
                    round.expired(flowed);
                    settleHold(round, rest);
                }
            }
        } catch (Throwable fault) {
            metering.fault("booking a stream that never ended", fault);
        }
    }

    /** Books an answer with its usage, or with what was counted. */
    void book(Round round, @Nullable Usage usage, long countedOutput) {
        try {
            ReservationRequest request = round.request();
            Usage known = usage == null || usage.total() == 0 ? round.reportedLast() : usage;
            if (known == null || round.isOfTheBeginning(known)) {
                metering.usageMissing.increment();
                round.count(Math.max(0, countedOutput - round.counted()));
                bookFlowed(round, null);
            } else {
                end(round, known);
                metering.estimates
                        .of(request.model())
                        .observe(round.hold().estimatedInput(), request.inputTokens(), known.inputTokens());
                metering.log(log -> log.answered(request, known));
            }
        } catch (Throwable fault) {
            metering.fault("settling", fault);
        }
    }

    /** Books what has flowed of a stream that a budget has cut. */
    void bookCut(Round round, RuntimeException refusal) {
        try {
            Usage flowed = round.flowed();
            end(round, flowed);
            metering.log(log -> log.cut(round.request(), flowed, refusal));
        } catch (Throwable fault) {
            metering.fault("booking a stream that was cut", fault);
        }
    }

    /** Books what has flowed of a stream that the application left. */
    void bookLeft(Round round) {
        try {
            Usage flowed = round.flowed();
            end(round, flowed);
            metering.log(log -> log.left(round.request(), flowed));
        } catch (Throwable fault) {
            metering.fault("booking a stream that was left", fault);
        }
    }

    /** Books what has flowed of a stream that goes no further. */
    void bookFlowed(Round round, @Nullable Failure failure) {
        try {
            Usage flowed = round.flowed();
            end(round, flowed);
            metering.log(log -> log.kept(round.request(), flowed, failure));
        } catch (Throwable fault) {
            metering.fault("booking a stream that was cut", fault);
        }
    }

    /** Books a call that failed as the configuration says. */
    void bookFailure(Round round, Failure failure, long countedOutput) {
        try {
            OnFailure onFailure = limiter.settings().onFailure();
            // What has begun to flow is billed, whatever ended it.
            Failure happened = round.counted() > 0 ? Failure.CUT_STREAM : failure;
            OnFailure.Booking booking = switch (happened) {
                case REJECTED -> onFailure.rejected();
                case TIMEOUT -> onFailure.timeout();
                case CUT_STREAM -> onFailure.cutStream();
                case UNUSABLE_ANSWER -> onFailure.unusableAnswer();
            };
            switch (booking) {
                case REFUND -> {
                    refund(round);
                    metering.log(log -> log.refunded(round.request(), happened));
                }
                case KEEP_INPUT -> keep(round, 0, happened);
                case KEEP_COUNTED -> {
                    round.count(Math.max(0, countedOutput - round.counted()));
                    bookFlowed(round, happened);
                }
                case KEEP_ESTIMATE -> keep(round, Math.max(round.heldOutput(), round.counted()), happened);
            }
        } catch (Throwable fault) {
            metering.fault("booking a failed call", fault);
        }
    }

    /** Releases the hold of a call that was none after all. */
    void giveUp(Round round) {
        try {
            refund(round);
            metering.metered.decrement();
        } catch (Throwable fault) {
            metering.fault("giving a hold up", fault);
        }
    }

    private void keep(Round round, long output, @Nullable Failure failure) {
        Usage booked = Usage.of(round.flowed().inputTokens(), Math.max(0, output));
        end(round, booked);
        metering.log(log -> log.kept(round.request(), booked, failure));
    }

    private void end(Round round, Usage usage) {
        open.remove(round);
        if (round.end()) {
            settle(round, usage);
        }
    }

    private void refund(Round round) {
        open.remove(round);
        if (round.end() && round.isHeld()) {
            round.endHold(() -> refundHold(round), () -> {});
        }
    }

    private void refundHold(Round round) {
        try {
            limiter.refund(round.reservationId());
        } catch (UnknownReservationException forgotten) {
            metering.notices.warn(
                    "forgotten", "a call outlasted its hold, which had expired: there was nothing to refund");
        }
    }

    private void settle(Round round, Usage usage) {
        Usage rest = round.beyondBooked(usage);
        if (round.isHeld()) {
            if (rest.total() == 0 && usage.total() > 0) {
                round.endHold(() -> refundHold(round), () -> {});
            } else {
                settleHold(round, rest);
            }
        } else if (rest.total() > 0) {
            charge(round, rest);
        }
    }

    private void settleHold(Round round, Usage usage) {
        round.endHold(() -> settleOrCharge(round, usage), () -> charge(round, usage));
    }

    private void settleOrCharge(Round round, Usage usage) {
        try {
            limiter.settle(round.reservationId(), usage);
        } catch (UnknownReservationException forgotten) {
            // The call outlasted its hold and the memory of it: what it used is booked all the same.
            charge(round, usage);
        }
    }

    private void charge(Round round, Usage usage) {
        HoldTerms call = round.hold().ceilings().terms();
        HoldTerms terms =
                round.isPartlyBooked() ? call.goingOnAfter(round.request().inputTokens()) : call;
        limiter.charge(round.request(), terms, usage);
    }
}
