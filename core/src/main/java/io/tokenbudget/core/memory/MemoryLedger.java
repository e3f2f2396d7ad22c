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
import io.tokenbudget.core.spi.Scope;
import io.tokenbudget.core.spi.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The ledger of one process.
 *
 * <p>One lock guards everything in here. Every operation touches several accounts that must change together, nearly all
 * calls share at least one of them ({@code global}, a model, a tenant), and the work under the lock is a few dozen
 * nanoseconds: a lock for each account would have to be taken several times, in an order, for the same exclusion.
 *
 * <pre>
 *   holds: id -> Hold ---- Line ----> Account: scope, held sums, lines by expiry
 *                  \------ Line ----> Account     `- Meter: limit, UsedCounter
 *
 *   expiries   holds under way, by expiry          what is due is expired at the start of every operation
 *   ended      holds that ended, oldest first      forgotten after `remember`, or when there are too many
 *   restChecks accounts, by when they may be at rest
 * </pre>
 *
 * <p>Nothing on the path of a call looks at more than it must: what is due stands first in its queue, and everything
 * else is found by key. Time is read before the lock is taken and never goes back.
 */
public final class MemoryLedger implements Ledger {
    /** At most so many accounts are checked, and ended holds forgotten, in one operation. */
    private static final int CLEAN_UP_STEPS = 8;

    /** A run that nobody calls for so long has ended: only then does what it used leave memory. */
    private static final long RUN_IDLE_MILLIS = Duration.ofHours(24).toMillis();

    private final Object lock = new Object();
    private final InstantSource clock;
    private final long rememberMillis;
    private final int rememberAtMost;
    private final String idPrefix =
            "r-" + Long.toString(ThreadLocalRandom.current().nextLong(36L * 36 * 36 * 36 * 36), 36) + "-";

    private final Map<String, Hold> holds = new HashMap<>();
    private final Map<Scope, Account> accounts = new HashMap<>();
    private final ExpiryQueue<Hold> expiries = new ExpiryQueue<>();
    private final ArrayDeque<Hold> ended = new ArrayDeque<>();
    private final PriorityQueue<Account> restChecks =
            new PriorityQueue<>(Comparator.comparingLong(account -> account.restCheckAt));
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
        this.rememberMillis = remember.toMillis();
        this.rememberAtMost = rememberAtMost;
    }

    @Override
    public Reservation reserve(HoldRequest request) {
        long time = clock.millis();
        Refusal refusal;
        synchronized (lock) {
            long now = advance(time);
            Hold known = request.id() == null ? null : find(request.id(), now);
            if (known != null) {
                if (!known.asks(request)) {
                    throw conflict(known, request);
                }
                return known.toReservation();
            }
            List<BudgetRef> budgets = request.budgets();
            Account[] touched = new Account[budgets.size()];
            for (int i = 0; i < touched.length; i++) {
                touched[i] = account(budgets.get(i), now);
            }
            refusal = request.admission() == Admission.OBSERVE
                    ? null
                    : check(touched, now, request.inputTokens(), request.outputTokens(), true);
            if (refusal == null) {
                requireCountable(touched, request.inputTokens(), request.outputTokens());
                return hold(request, touched, now).toReservation();
            }
            refused++;
        }
        throw refusal.toException();
    }

    private Hold hold(HoldRequest request, Account[] touched, long now) {
        String id = request.id() == null ? newId() : request.id();
        Hold hold = new Hold(
                id, request, ++sequence, Amounts.add(now, request.hold().toMillis()));
        Line[] lines = new Line[touched.length];
        for (int i = 0; i < touched.length; i++) {
            lines[i] = new Line(hold, touched[i]);
            touched[i].hold(lines[i]);
            for (Meter meter : touched[i].meters()) {
                if (meter.limit.unit() == LimitUnit.ATTEMPTS) {
                    meter.counter.add(now, 1);
                }
            }
        }
        hold.lines = lines;
        holds.put(id, hold);
        expiries.add(hold);
        return hold;
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

    private String newId() {
        String id;
        do {
            id = idPrefix + ++sequence;
        } while (holds.containsKey(id));
        return id;
    }

    @Override
    public Reservation topUp(String id, long moreOutputTokens, Admission admission) {
        long time = clock.millis();
        Refusal refusal;
        synchronized (lock) {
            long now = advance(time);
            Hold hold = held(id, now);
            Account[] touched = new Account[hold.lines.length];
            for (int i = 0; i < touched.length; i++) {
                touched[i] = hold.lines[i].account;
            }
            refusal = admission == Admission.OBSERVE ? null : check(touched, now, 0, moreOutputTokens, false);
            if (refusal == null) {
                requireCountable(touched, 0, moreOutputTokens);
                hold.output += moreOutputTokens;
                for (Account account : touched) {
                    account.heldOutput += moreOutputTokens;
                }
                return hold.toReservation();
            }
            refused++;
        }
        throw refusal.toException();
    }

    @Override
    public Reservation extend(String id, Duration more) {
        long time = clock.millis();
        synchronized (lock) {
            Hold hold = held(id, advance(time));
            expiries.remove(hold);
            hold.expiresAt = Amounts.add(hold.expiresAt, more.toMillis());
            expiries.add(hold);
            for (Line line : hold.lines) {
                line.account.lines.remove(line);
                line.expiresAt = hold.expiresAt;
                line.account.lines.add(line);
            }
            return hold.toReservation();
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
            Hold hold = known(id, now);
            long input = Math.min(actualTokens, hold.input);
            settle(hold, now, input, actualTokens - input, overrun);
        }
    }

    private void settle(Hold hold, long now, long input, long output, OverrunPolicy overrun) {
        if (hold.status == ReservationStatus.HELD) {
            Line[] lines = hold.lines;
            end(hold, ReservationStatus.SETTLED, now);
            settled++;
            RuntimeException fault = null;
            for (Line line : lines) {
                fault = book(line.account, hold, now, input, output, overrun, fault);
            }
            rethrow(fault);
        } else if (hold.status == ReservationStatus.EXPIRED && !hold.settledLate) {
            hold.settledLate = true;
            RuntimeException fault = null;
            for (BudgetRef budget : hold.budgets) {
                // Its limits may have changed since: an account that is there keeps those it has.
                Account account = accounts.get(budget.scope());
                fault = book(
                        account == null ? account(budget, now) : account, hold, now, input, output, overrun, fault);
            }
            rethrow(fault);
        }
    }

    /** Books on one account. A policy that throws books what was used, so that the ledger stays whole. */
    private static @Nullable RuntimeException book(
            Account account,
            Hold hold,
            long now,
            long input,
            long output,
            OverrunPolicy overrun,
            @Nullable RuntimeException faultBefore) {
        RuntimeException fault = faultBefore;
        for (Meter meter : account.meters()) {
            LimitUnit unit = meter.limit.unit();
            long actual = Amounts.used(unit, input, output);
            long reserved = Amounts.held(unit, hold.input, hold.output);
            if (actual > reserved) {
                try {
                    actual = Math.max(0, overrun.charge(unit, reserved, actual));
                } catch (RuntimeException thrown) {
                    fault = thrown;
                }
            }
            meter.counter.add(now, actual);
        }
        return fault;
    }

    private static void rethrow(@Nullable RuntimeException fault) {
        if (fault != null) {
            throw fault;
        }
    }

    @Override
    public void refund(String id) {
        long time = clock.millis();
        synchronized (lock) {
            long now = advance(time);
            Hold hold = known(id, now);
            if (hold.status == ReservationStatus.HELD) {
                end(hold, ReservationStatus.REFUNDED, now);
                refunded++;
            }
        }
    }

    @Override
    public List<BudgetStatus> status(BudgetRef budget) {
        long time = clock.millis();
        synchronized (lock) {
            long now = advance(time);
            Account account = accounts.get(budget.scope());
            if (account == null) {
                account = new Account(budget);
            } else {
                account.reconfigure(budget.limits());
            }
            List<BudgetStatus> statuses = new ArrayList<>();
            describe(account, now, statuses);
            return statuses;
        }
    }

    @Override
    public List<BudgetStatus> status() {
        long time = clock.millis();
        synchronized (lock) {
            long now = advance(time);
            List<BudgetStatus> statuses = new ArrayList<>();
            for (Account account : accounts.values()) {
                if (!account.atRest(now)) {
                    describe(account, now, statuses);
                }
            }
            return statuses;
        }
    }

    private static void describe(Account account, long now, List<BudgetStatus> into) {
        for (Meter meter : account.meters()) {
            long held = account.held(meter.limit.unit());
            long used = meter.counter.used(now);
            long emptyAt = meter.counter.emptyAt(now);
            boolean resets = used > 0 && emptyAt != UsedCounter.NEVER;
            into.add(new BudgetStatus(
                    account.scope.toString(),
                    meter.limit.unit().toString(),
                    meter.limit.window() instanceof Window.Lifetime
                            ? null
                            : meter.limit.window().toString(),
                    meter.limit.amount(),
                    used,
                    held,
                    meter.remaining(now, held),
                    resets ? Instant.ofEpochMilli(emptyAt) : null,
                    meter.limit.unlimited()));
        }
    }

    @Override
    public LedgerCounts counts() {
        long time = clock.millis();
        synchronized (lock) {
            advance(time);
            return new LedgerCounts(holds.size() - ended.size(), settled, refunded, expired, refused);
        }
    }

    /** How many accounts and reservations are in memory. For tests and memory measurements. */
    int size() {
        synchronized (lock) {
            return accounts.size() + holds.size();
        }
    }

    /** Brings the ledger to {@code time}, or to the latest time it has seen if a clock went back. */
    private long advance(long time) {
        long now = Math.max(latest, time);
        if (now != latest) {
            latest = now;
            for (Hold due = expiries.first(); due != null && due.expiresAt <= now; due = expiries.first()) {
                end(due, ReservationStatus.EXPIRED, due.expiresAt);
                expired++;
            }
            for (int i = 0; i < CLEAN_UP_STEPS && forgetOldest(now); i++) {}
            for (int i = 0; i < CLEAN_UP_STEPS && checkRest(now); i++) {}
        }
        return now;
    }

    private void end(Hold hold, ReservationStatus status, long now) {
        expiries.remove(hold);
        for (Line line : hold.lines) {
            line.account.release(line);
        }
        hold.lines = new Line[0];
        hold.status = status;
        hold.endedAt = now;
        ended.addLast(hold);
        while (ended.size() > rememberAtMost) {
            holds.remove(ended.removeFirst().id);
        }
    }

    private boolean forgetOldest(long now) {
        Hold oldest = ended.peekFirst();
        if (oldest == null || now - oldest.endedAt < rememberMillis) {
            return false;
        }
        ended.removeFirst();
        holds.remove(oldest.id);
        return true;
    }

    private boolean checkRest(long now) {
        Account account = restChecks.peek();
        if (account == null || account.restCheckAt > now) {
            return false;
        }
        restChecks.poll();
        long emptyAt = account.emptyAt(now);
        boolean runOver = emptyAt == UsedCounter.NEVER
                && account.scope.dimension().equals("run")
                && account.heldCount == 0
                && now - account.touchedAt >= RUN_IDLE_MILLIS;
        if (account.atRest(now) || runOver) {
            accounts.remove(account.scope);
        } else {
            scheduleRestCheck(account, now, emptyAt);
        }
        return true;
    }

    private void scheduleRestCheck(Account account, long now, long emptyAt) {
        long never = account.scope.dimension().equals("run")
                ? Amounts.add(account.touchedAt, RUN_IDLE_MILLIS)
                : UsedCounter.NEVER;
        account.restCheckAt = Math.max(now + 1000, emptyAt == UsedCounter.NEVER ? never : emptyAt);
        restChecks.add(account);
    }

    private Account account(BudgetRef budget, long now) {
        Account account = accounts.get(budget.scope());
        if (account == null) {
            account = new Account(budget);
            accounts.put(budget.scope(), account);
            account.touchedAt = now;
            scheduleRestCheck(account, now, now);
        } else {
            account.reconfigure(budget.limits());
            account.touchedAt = now;
        }
        return account;
    }

    private @Nullable Hold find(String id, long now) {
        Hold hold = holds.get(id);
        boolean forgotten =
                hold != null && hold.status != ReservationStatus.HELD && now - hold.endedAt >= rememberMillis;
        if (forgotten) {
            while (forgetOldest(now)) {}
            return null;
        }
        return hold;
    }

    private Hold known(String id, long now) {
        Hold hold = find(id, now);
        if (hold == null) {
            throw new UnknownReservationException("No reservation has the id \"" + id
                    + "\": it was never made, or it ended longer ago than ended reservations are remembered");
        }
        return hold;
    }

    private Hold held(String id, long now) {
        Hold hold = known(id, now);
        if (hold.status != ReservationStatus.HELD) {
            throw new IllegalStateException("Reservation \"" + id + "\" has ended: " + hold.status);
        }
        return hold;
    }

    private static IdempotencyConflictException conflict(Hold known, HoldRequest request) {
        return new IdempotencyConflictException("Reservation \"" + known.id + "\" was made for "
                + known.requestedInput + " input and " + known.requestedOutput + " output tokens on "
                + known.toReservation().scopes() + " and cannot be made again for " + request.inputTokens() + " and "
                + request.outputTokens() + " on "
                + request.budgets().stream()
                        .map(budget -> budget.scope().toString())
                        .toList());
    }

    /** The refusal with the longest wait, or null if everything fits. */
    private static @Nullable Refusal check(Account[] touched, long now, long input, long output, boolean first) {
        Refusal longest = null;
        for (Account account : touched) {
            for (Meter meter : account.meters()) {
                LimitUnit unit = meter.limit.unit();
                long amount = first ? Amounts.required(unit, input, output) : Amounts.more(unit, output);
                if (amount == 0 || meter.fits(now, account.held(unit), amount)) {
                    continue;
                }
                Refusal refusal = Refusal.of(account, meter, now, amount);
                if (longest == null || refusal.waitsLongerThan(longest)) {
                    longest = refusal;
                }
            }
        }
        return longest;
    }
}
