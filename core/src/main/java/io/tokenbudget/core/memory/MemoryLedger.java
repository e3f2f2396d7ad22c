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
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.OverrunPolicy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ledger of one process.
 *
 * <p>One lock guards everything in here. Every operation touches several accounts that must change together, nearly all
 * calls share at least one of them ({@code global}, a model, a tenant), and the work under the lock is a few dozen
 * nanoseconds: a lock for each account would have to be taken several times, in an order, for the same exclusion.
 *
 * <pre>
 *   holds:  row = one reservation ----- lines: row = its place on one account -----> Account: scope, held sums
 *                                                                                      `- Meter: limit, UsedCounter
 *
 *   expiries   rows that are held, by expiry          what is due is expired at the start of every operation
 *   index      id -> row; ended rows, oldest first    forgotten after `remember`, or when there are too many
 *   accounts   scope -> account                       each is looked at when it may be at rest
 * </pre>
 *
 * <p>Nothing on the path of a call looks at more than it must: what is due stands first in its list, and everything else
 * is found by key. Time is read before the lock is taken and never goes back. Texts and result objects are made outside
 * the lock.
 */
public final class MemoryLedger implements Ledger {
    /** At most so many accounts are checked, and ended holds forgotten, in one operation. */
    private static final int CLEAN_UP_STEPS = 8;

    private final Object lock = new Object();
    private final InstantSource clock;
    private final Holds holds = new Holds();
    private final HoldIndex index;
    private final Lines lines = new Lines();
    private final Accounts accounts = new Accounts(holds, lines);
    private final ExpiryList expiries = new ExpiryList(holds);
    private long heldCount;
    private long latest = Long.MIN_VALUE;
    private long sequence;
    private long settled;
    private long refunded;
    private long expired;
    private long refused;

    /**
     * @param clock of windows and expiries, read to the millisecond
     * @param remember how long an ended reservation answers repeats
     * @param rememberAtMost how many ended reservations are remembered at most
     */
    public MemoryLedger(InstantSource clock, Duration remember, int rememberAtMost) {
        this.clock = clock;
        this.index = new HoldIndex(holds, remember.toMillis(), rememberAtMost);
    }

    @Override
    public Reservation reserve(HoldRequest request) {
        long time = clock.millis();
        String id = request.id();
        List<BudgetRef> budgets = request.budgets();
        long input = request.inputTokens();
        long output = request.outputTokens();
        Refusal refusal;
        int hold;
        long number;
        long expiresAt;
        synchronized (lock) {
            long now = advance(time);
            if (id != null) {
                int known = index.find(id, now);
                if (known != Holds.NONE) {
                    return repeat(known, request);
                }
            }
            Account[] touched = new Account[budgets.size()];
            for (int i = 0; i < touched.length; i++) {
                touched[i] = accounts.open(budgets.get(i), now);
            }
            refusal = request.admission() != Admission.ENFORCE ? null : check(touched, now, input, output, true);
            if (refusal == null) {
                requireCountable(touched, input, output);
                hold = hold(request, touched, now);
                number = holds.sequence[hold];
                expiresAt = holds.expiresAt[hold];
            } else {
                refused++;
                hold = Holds.NONE;
                number = 0;
                expiresAt = 0;
            }
        }
        if (refusal != null) {
            throw refusal.toException();
        }
        return id == null
                ? Reservations.held(index.madeId(number, hold), budgets, input, output, expiresAt)
                : Reservations.of(id, ReservationStatus.HELD, budgets, input, output, expiresAt);
    }

    private int hold(HoldRequest request, Account[] touched, long now) {
        int hold = holds.allocate();
        String id = request.id();
        long number = ++sequence;
        if (id != null) {
            index.putCallersId(id, hold);
        } else {
            while (index.isTaken(number, hold)) {
                number = ++sequence;
            }
        }
        holds.sequence[hold] = number;
        holds.state[hold] = Holds.HELD;
        holds.input[hold] = request.inputTokens();
        holds.output[hold] = request.outputTokens();
        holds.requestedOutput[hold] = request.outputTokens();
        holds.expiresAt[hold] = Amounts.add(now, request.hold().toMillis());
        holds.budgets(hold, request.budgets());
        int chain = Holds.NONE;
        for (Account account : touched) {
            int line = lines.allocate();
            lines.hold[line] = hold;
            lines.account[line] = account.index;
            lines.nextOfHold[line] = chain;
            chain = line;
            account.lines.add(line);
            account.heldInput += request.inputTokens();
            account.heldOutput += request.outputTokens();
            account.heldCount++;
            for (Meter meter : account.meters()) {
                if (meter.limit.unit() == LimitUnit.ATTEMPTS) {
                    meter.counter.add(now, 1);
                }
            }
        }
        holds.firstLine[hold] = chain;
        expiries.add(hold);
        heldCount++;
        return hold;
    }

    private Reservation repeat(int known, HoldRequest request) {
        boolean same = holds.input[known] == request.inputTokens()
                && holds.requestedOutput[known] == request.outputTokens()
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

    /** Only an unlimited or observed budget can be asked for so much: any other refuses it first. */
    private static void requireCountable(Account[] touched, long input, long output) {
        boolean countable = input <= Limit.MAX_AMOUNT && output <= Limit.MAX_AMOUNT;
        for (Account account : touched) {
            countable &= account.heldInput + account.heldOutput <= Long.MAX_VALUE - 2 * Limit.MAX_AMOUNT;
        }
        if (!countable) {
            throw new IllegalArgumentException("A reservation of " + input + " input and " + output
                    + " output tokens is more than can be counted: at most " + Limit.MAX_AMOUNT + " of each");
        }
    }

    @Override
    public Reservation topUp(String id, long moreOutputTokens, Admission admission) {
        long time = clock.millis();
        Refusal refusal;
        synchronized (lock) {
            long now = advance(time);
            int hold = held(id, now);
            Account[] touched = accountsOf(hold);
            refusal = admission != Admission.ENFORCE ? null : check(touched, now, 0, moreOutputTokens, false);
            if (refusal == null) {
                requireCountable(touched, 0, Amounts.add(holds.output[hold], moreOutputTokens));
                holds.output[hold] += moreOutputTokens;
                for (Account account : touched) {
                    account.heldOutput += moreOutputTokens;
                }
                return reservation(hold);
            }
            refused++;
        }
        throw refusal.toException();
    }

    private Account[] accountsOf(int hold) {
        List<Account> touched = new ArrayList<>();
        for (int line = holds.firstLine[hold]; line != Holds.NONE; line = lines.nextOfHold[line]) {
            touched.add(accounts.ofLine(line));
        }
        return touched.toArray(Account[]::new);
    }

    @Override
    public Reservation extend(String id, Duration more) {
        long time = clock.millis();
        synchronized (lock) {
            int hold = held(id, advance(time));
            expiries.remove(hold);
            for (int line = holds.firstLine[hold]; line != Holds.NONE; line = lines.nextOfHold[line]) {
                accounts.ofLine(line).lines.remove(line);
            }
            holds.expiresAt[hold] = Amounts.add(holds.expiresAt[hold], more.toMillis());
            expiries.add(hold);
            for (int line = holds.firstLine[hold]; line != Holds.NONE; line = lines.nextOfHold[line]) {
                accounts.ofLine(line).lines.add(line);
            }
            return reservation(hold);
        }
    }

    @Override
    public void settle(String id, Usage actual, OverrunPolicy overrun) {
        long time = clock.millis();
        synchronized (lock) {
            long now = advance(time);
            settle(known(id, now), now, actual.inputTokens(), actual.outputTokens(), overrun);
        }
    }

    @Override
    public void settle(String id, long actualTokens, OverrunPolicy overrun) {
        long time = clock.millis();
        synchronized (lock) {
            long now = advance(time);
            int hold = known(id, now);
            long input = Math.min(actualTokens, holds.input[hold]);
            settle(hold, now, input, actualTokens - input, overrun);
        }
    }

    private void settle(int hold, long now, long input, long output, OverrunPolicy overrun) {
        Booking booking = new Booking(holds.input[hold], holds.output[hold], input, output, overrun);
        if (holds.state[hold] == Holds.HELD) {
            for (int line = holds.firstLine[hold]; line != Holds.NONE; line = lines.nextOfHold[line]) {
                booking.on(accounts.ofLine(line), now);
            }
            end(hold, Holds.SETTLED, now);
            settled++;
        } else if (holds.state[hold] == Holds.EXPIRED) {
            holds.state[hold] = Holds.EXPIRED_AND_SETTLED;
            for (BudgetRef budget : holds.budgets(hold)) {
                // Its limits may have changed since: an account that is there keeps those it has.
                Account account = accounts.find(budget.scope());
                booking.on(account == null ? accounts.open(budget, now) : account, now);
            }
        }
        booking.rethrowFault();
    }

    @Override
    public void refund(String id) {
        long time = clock.millis();
        synchronized (lock) {
            long now = advance(time);
            int hold = known(id, now);
            if (holds.state[hold] == Holds.HELD) {
                end(hold, Holds.REFUNDED, now);
                refunded++;
            }
        }
    }

    @Override
    public List<BudgetStatus> status(BudgetRef budget) {
        long time = clock.millis();
        synchronized (lock) {
            long now = advance(time);
            Account account = accounts.find(budget.scope());
            if (account == null) {
                account = new Account(budget, Holds.NONE, new ExpiryList(holds, lines));
            } else {
                account.reconfigure(budget.limits());
            }
            List<BudgetStatus> statuses = new ArrayList<>();
            account.describe(now, statuses);
            return statuses;
        }
    }

    @Override
    public List<BudgetStatus> status() {
        long time = clock.millis();
        synchronized (lock) {
            long now = advance(time);
            List<BudgetStatus> statuses = new ArrayList<>();
            for (Account account : accounts.all()) {
                if (!account.atRest(now)) {
                    account.describe(now, statuses);
                }
            }
            return statuses;
        }
    }

    @Override
    public LedgerCounts counts() {
        long time = clock.millis();
        synchronized (lock) {
            advance(time);
            return new LedgerCounts(heldCount, settled, refunded, expired, refused);
        }
    }

    /** How many accounts are in memory. */
    int accountsInMemory() {
        synchronized (lock) {
            return accounts.size();
        }
    }

    /** How many reservations, held and remembered, are in memory. */
    long reservationsInMemory() {
        synchronized (lock) {
            return heldCount + index.endedCount();
        }
    }

    /** Brings the ledger to {@code time}, or to the latest time it has seen if a clock went back. */
    private long advance(long time) {
        if (time > latest) {
            latest = time;
            for (int due = expiries.first();
                    due != Holds.NONE && holds.expiresAt[due] <= time;
                    due = expiries.first()) {
                end(due, Holds.EXPIRED, holds.expiresAt[due]);
                expired++;
            }
            index.forgetOld(time, CLEAN_UP_STEPS);
            for (int i = 0; i < CLEAN_UP_STEPS && accounts.checkOne(time); i++) {}
        }
        return latest;
    }

    private void end(int hold, byte state, long now) {
        expiries.remove(hold);
        int line = holds.firstLine[hold];
        while (line != Holds.NONE) {
            Account account = accounts.ofLine(line);
            account.lines.remove(line);
            account.heldInput -= holds.input[hold];
            account.heldOutput -= holds.output[hold];
            account.heldCount--;
            lines.free(line);
            line = lines.nextOfHold[line];
        }
        heldCount--;
        holds.state[hold] = state;
        holds.endedAt[hold] = now;
        index.remember(hold);
    }

    private int known(String id, long now) {
        int hold = index.find(id, now);
        if (hold == Holds.NONE) {
            throw new UnknownReservationException("No reservation has the id \"" + id
                    + "\": it was never made, or it ended longer ago than ended reservations are remembered");
        }
        return hold;
    }

    private int held(String id, long now) {
        int hold = known(id, now);
        if (holds.state[hold] != Holds.HELD) {
            throw new IllegalStateException("Reservation \"" + id + "\" has ended: " + holds.status(hold));
        }
        return hold;
    }

    private Reservation reservation(int hold) {
        return Reservations.of(
                index.id(hold),
                holds.status(hold),
                holds.budgets(hold),
                holds.input[hold],
                holds.output[hold],
                holds.expiresAt[hold]);
    }

    /** The refusal with the longest wait, or null if everything fits. */
    private @Nullable Refusal check(Account[] touched, long now, long input, long output, boolean first) {
        Refusal longest = null;
        for (Account account : touched) {
            for (Meter meter : account.meters()) {
                LimitUnit unit = meter.limit.unit();
                long amount = first ? Amounts.required(unit, input, output) : Amounts.more(unit, output);
                if (amount == 0 || meter.fits(now, account.held(unit), amount)) {
                    continue;
                }
                Refusal refusal = Refusal.of(account, meter, holds, now, amount);
                if (longest == null || refusal.waitsLongerThan(longest)) {
                    longest = refusal;
                }
            }
        }
        return longest;
    }
}
