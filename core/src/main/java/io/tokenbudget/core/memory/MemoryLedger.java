package io.tokenbudget.core.memory;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.IdempotencyConflictException;
import io.tokenbudget.Reservation;
import io.tokenbudget.ReservationStatus;
import io.tokenbudget.UnknownReservationException;
import io.tokenbudget.Usage;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.HoldRequest;
import io.tokenbudget.core.spi.HoldRequest.Admission;
import io.tokenbudget.core.spi.Ledger;
import io.tokenbudget.core.spi.LedgerCounts;
import io.tokenbudget.core.spi.OverrunPolicy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The ledger of one process.
 *
 * <p>One lock guards everything in here. Every operation touches several accounts that must change together, nearly all
 * calls share at least one of them ({@code global}, a model, a tenant), and the work under the lock is a few dozen
 * nanoseconds: a lock for each account would have to be taken several times, in an order, for the same exclusion.
 *
 * <p>Nothing on the path of a call looks at more than it must: what is due stands first in its list, and everything else
 * is found by key. Time is read before the lock is taken and never goes back. Texts and result objects are made outside
 * the lock, and a report of all accounts gives it back again and again: see {@link Survey}.
 */
public final class MemoryLedger implements Ledger {
    private static final long PAUSE_NANOS = 20_000;

    private final SpinningLock lock = new SpinningLock();
    private final InstantSource clock;
    private final Books books;
    private final Holds holds;
    private long latest = Long.MIN_VALUE;
    private long refused;

    /**
     * @param clock of windows and expiries, read to the millisecond
     * @param remember how long an ended reservation answers repeats
     * @param rememberAtMost how many ended reservations are remembered at most
     */
    public MemoryLedger(InstantSource clock, Duration remember, int rememberAtMost) {
        this.clock = clock;
        this.books = new Books(remember.toMillis(), rememberAtMost);
        this.holds = books.holds;
    }

    @Override
    public Reservation reserve(HoldRequest request) {
        long time = clock.millis();
        String id = request.id();
        List<BudgetRef> budgets = request.budgets();
        long input = request.inputTokens();
        long output = request.outputTokens();
        Refusal refusal;
        int hold = Holds.NONE;
        long number = 0;
        long expiresAt = 0;
        lock.lock();
        try {
            long now = advance(time);
            if (id != null) {
                int known = books.index.find(id, now);
                if (known != Holds.NONE) {
                    return repeat(known, request);
                }
            }
            for (int i = 0; i < budgets.size(); i++) {
                books.accounts.open(budgets.get(i), now);
            }
            int outer = books.upFront.find(request.within(), now);
            long drawn = outer == Holds.NONE ? 0 : books.upFront.draw(outer, Amounts.add(input, output), now);
            try {
                boolean enforced = request.admission() == Admission.ENFORCE;
                refusal = enforced ? books.refusalOfNew(request, now) : null;
                if (refusal == null) {
                    hold = books.hold(request, now);
                    number = holds.sequence(hold);
                    expiresAt = holds.expiresAt(hold);
                } else {
                    refused++;
                }
            } finally {
                books.upFront.putBackUnless(hold != Holds.NONE);
            }
            if (hold != Holds.NONE && outer != Holds.NONE) {
                books.upFront.keep(hold, outer, drawn);
                books.keepAlive(hold, now);
            }
        } finally {
            lock.unlock();
        }
        if (refusal != null) {
            throw refusal.toException();
        }
        return id == null
                ? Reservations.held(books.index.madeId(number, hold), budgets, input, output, expiresAt)
                : Reservations.of(id, ReservationStatus.HELD, budgets, input, output, expiresAt);
    }

    private Reservation repeat(int known, HoldRequest request) {
        boolean same = holds.isUpFront(known) == (request.kind() == HoldRequest.Kind.UP_FRONT)
                && holds.input(known) == request.inputTokens()
                && holds.requestedOutput(known) == request.outputTokens()
                && Reservations.sameScopes(holds.budgets(known), request.budgets());
        if (!same) {
            // Nothing about the one that is known: it may be another tenant's.
            throw new IdempotencyConflictException("A reservation with the id \"" + request.id()
                    + "\" was made for other amounts or other scopes: it cannot be made again for "
                    + request.inputTokens() + " input and " + request.outputTokens() + " output tokens on "
                    + Reservations.scopes(request.budgets()));
        }
        return reservation(known);
    }

    @Override
    public Reservation topUp(String id, long moreOutputTokens, Admission admission) {
        long time = clock.millis();
        Refusal refusal;
        lock.lock();
        try {
            long now = advance(time);
            int hold = held(id, now);
            long drawn = books.upFront.draw(books.upFront.around(hold, now), moreOutputTokens, now);
            boolean granted = false;
            try {
                refusal = admission == Admission.ENFORCE ? books.refusalOfMore(hold, now, moreOutputTokens) : null;
                if (refusal == null) {
                    books.grow(hold, moreOutputTokens);
                    granted = true;
                    books.upFront.keepMore(hold, drawn, moreOutputTokens - drawn);
                    return reservation(hold);
                }
                refused++;
            } finally {
                books.upFront.putBackUnless(granted);
            }
        } finally {
            lock.unlock();
        }
        throw refusal.toException();
    }

    @Override
    public Reservation extend(String id, Duration more) {
        long time = clock.millis();
        lock.lock();
        try {
            long now = advance(time);
            int hold = held(id, now);
            books.extend(hold, more.toMillis(), now);
            return reservation(hold);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void settle(String id, Usage actual, OverrunPolicy overrun) {
        long time = clock.millis();
        lock.lock();
        try {
            long now = advance(time);
            books.settle(ofCall(id, now), now, actual, lock.guard(overrun));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void settle(String id, long actualTokens, OverrunPolicy overrun) {
        long time = clock.millis();
        lock.lock();
        try {
            long now = advance(time);
            int hold = ofCall(id, now);
            long input = Math.min(actualTokens, holds.input(hold));
            books.settle(hold, now, Usage.of(input, actualTokens - input), lock.guard(overrun));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void refund(String id) {
        long time = clock.millis();
        lock.lock();
        try {
            long now = advance(time);
            books.refund(known(id, now), now);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<BudgetStatus> status(BudgetRef budget) {
        long time = clock.millis();
        List<LimitState> states;
        lock.lock();
        try {
            long now = advance(time);
            states = books.look(budget).copy(now);
        } finally {
            lock.unlock();
        }
        return states.stream().map(LimitState::toStatus).toList();
    }

    @Override
    public List<BudgetStatus> status() {
        return status(Integer.MAX_VALUE);
    }

    @Override
    public List<BudgetStatus> status(int most) {
        Survey survey = new Survey(most);
        look(survey);
        while (survey.describe()) {
            // Whoever waits for the lock sleeps between looks: a moment's release would not be seen.
            LockSupport.parkNanos(this, PAUSE_NANOS);
            look(survey);
        }
        return survey.statuses();
    }

    private void look(Survey survey) {
        long time = clock.millis();
        lock.lock();
        try {
            survey.look(books.accounts, advance(time));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void endRun(String run) {
        long time = clock.millis();
        lock.lock();
        try {
            books.accounts.endRun(run, advance(time));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public LedgerCounts counts() {
        long time = clock.millis();
        lock.lock();
        try {
            advance(time);
            return new LedgerCounts(books.held(), books.settled(), books.refunded(), books.expired(), refused);
        } finally {
            lock.unlock();
        }
    }

    /** How many accounts are in memory. */
    int accountsInMemory() {
        lock.lock();
        try {
            return books.accounts.size();
        } finally {
            lock.unlock();
        }
    }

    /** How many reservations, held and remembered, are in memory. */
    long reservationsInMemory() {
        lock.lock();
        try {
            return books.held() + books.index.endedCount();
        } finally {
            lock.unlock();
        }
    }

    /** Brings the ledger to {@code time}, or to the latest time it has seen if a clock went back. */
    private long advance(long time) {
        if (time > latest) {
            latest = time;
            books.advance(time);
        }
        return latest;
    }

    private int known(String id, long now) {
        int hold = books.index.find(id, now);
        if (hold == Holds.NONE) {
            throw new UnknownReservationException("No reservation has the id \"" + id
                    + "\": it was never made, or it ended longer ago than ended reservations are remembered");
        }
        return hold;
    }

    private int ofCall(String id, long now) {
        int hold = known(id, now);
        if (holds.isUpFront(hold)) {
            throw new IllegalStateException(
                    "Reservation \"" + id + "\" is for calls to come: it is refunded, and these are settled");
        }
        return hold;
    }

    private int held(String id, long now) {
        int hold = known(id, now);
        if (holds.state(hold) != Holds.HELD) {
            throw new IllegalStateException("Reservation \"" + id + "\" has ended: " + holds.status(hold));
        }
        return hold;
    }

    private Reservation reservation(int hold) {
        return Reservations.of(
                books.index.id(hold),
                holds.status(hold),
                holds.budgets(hold),
                holds.input(hold),
                holds.output(hold),
                holds.expiresAt(hold));
    }
}
