package io.tokenbudget.core.memory;

import io.tokenbudget.Usage;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.HoldRequest;
import io.tokenbudget.core.spi.HoldRequest.Kind;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.OverrunPolicy;
import io.tokenbudget.core.spi.Price;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every change that touches a reservation and its accounts together. Not thread-safe; guarded by the ledger's lock.
 *
 * <pre>
 *   holds:  row = one reservation ----- lines: row = its place on one account -----> Account: scope, held sums
 *                                                                                      `- Meter: limit, what is used
 *
 *   expiries   rows that are held, by expiry          what is due is expired at the start of every operation
 *   index      id -> row; ended rows, oldest first    forgotten after `remember`, or when there are too many
 *   accounts   scope -> account                       each is looked at when it may be at rest
 * </pre>
 */
final class Books {
    /** At most so many accounts are checked, and ended holds forgotten, in one operation. */
    private static final int CLEAN_UP_STEPS = 8;

    final Holds holds = new Holds();
    final HoldIndex index;
    final Accounts accounts;
    final UpFront upFront;
    private final Lines lines = new Lines();
    private final ExpiryList expiries = new ExpiryList(holds);
    private long sequence;
    private long held;
    private long settled;
    private long refunded;
    private long expired;

    Books(long rememberMillis, int rememberAtMost) {
        this.index = new HoldIndex(holds, rememberMillis, rememberAtMost);
        this.accounts = new Accounts(holds, lines);
        this.upFront = new UpFront(holds, lines, accounts, index);
    }

    long held() {
        return held;
    }

    long settled() {
        return settled;
    }

    long refunded() {
        return refunded;
    }

    long expired() {
        return expired;
    }

    /** Expires what is due at {@code time}, and forgets some of what is over. */
    void advance(long time) {
        for (int due = expiries.first(); due != Holds.NONE && holds.expiresAt(due) <= time; due = expiries.first()) {
            end(due, Holds.EXPIRED, holds.expiresAt(due));
            expired++;
        }
        index.forgetOld(time, CLEAN_UP_STEPS);
        for (int i = 0; i < CLEAN_UP_STEPS && accounts.checkOne(time); i++) {}
    }

    /** The refusal with the longest wait that a new reservation on open budgets meets, or null if it fits. */
    @Nullable
    Refusal refusalOfNew(HoldRequest request, long now) {
        List<BudgetRef> budgets = request.budgets();
        Price price = price(request);
        long cost = cost(request);
        Refusal longest = null;
        for (int i = 0; i < budgets.size(); i++) {
            Account account = accounts.opened(budgets.get(i));
            for (Meter meter = account.firstMeter; meter != null; meter = meter.next) {
                if (price != null && !price.isKnown() && meter.inForce && meter.limit.unit() == LimitUnit.USD) {
                    longest = longer(longest, Refusal.ofUnknownPrice(account, meter, now, price));
                } else {
                    long amount = Amounts.required(meter.limit.unit(), request, cost);
                    longest = longer(longest, account, meter, now, amount, Holds.NONE);
                }
            }
        }
        return longest;
    }

    /** The refusal with the longest wait that more output of a held reservation meets, or null if it fits. */
    @Nullable
    Refusal refusalOfMore(int hold, long now, long output) {
        boolean upFrontItself = holds.isUpFront(hold);
        long cost = costOfMore(hold, output);
        resume(hold);
        Refusal longest = null;
        for (int line = holds.firstLine(hold); line != Holds.NONE; line = lines.nextOfHold[line]) {
            Account account = accounts.ofLine(line);
            for (Meter meter = account.firstMeter; meter != null; meter = meter.next) {
                long amount = Amounts.more(meter.limit.unit(), output, cost, upFrontItself);
                longest = longer(longest, account, meter, now, amount, hold);
            }
        }
        return longest;
    }

    /** Puts the limits in force that a held reservation was made under. */
    private void resume(int hold) {
        List<BudgetRef> budgets = holds.budgets(hold);
        for (int i = 0; i < budgets.size(); i++) {
            Account account = accounts.find(budgets.get(i));
            if (account != null) {
                account.resume(budgets.get(i));
            }
        }
    }

    private @Nullable Refusal longer(
            @Nullable Refusal longest, Account account, Meter meter, long now, long amount, int growing) {
        if (amount == 0 || meter.fits(now, account.held(meter.limit.unit()), amount)) {
            return longest;
        }
        return longer(longest, Refusal.of(account, meter, holds, now, amount, growing));
    }

    private static Refusal longer(@Nullable Refusal longest, Refusal refusal) {
        return longest == null || refusal.waitsLongerThan(longest) ? refusal : longest;
    }

    private static @Nullable Price price(HoldRequest request) {
        return request.kind() == Kind.UP_FRONT ? null : request.price();
    }

    private static long cost(HoldRequest request) {
        Price price = price(request);
        return price == null ? 0 : price.most(request.inputTokens(), request.outputTokens());
    }

    private long costOfMore(int hold, long output) {
        Price price = holds.price(hold);
        return price == null
                ? 0
                : price.most(holds.input(hold), Amounts.add(holds.output(hold), output)) - holds.cost(hold);
    }

    /**
     * Holds on open budgets.
     *
     * @return the row
     * @throws IllegalArgumentException if it is more than can be counted; nothing has changed then
     */
    int hold(HoldRequest request, long now) {
        List<BudgetRef> budgets = request.budgets();
        long input = request.inputTokens();
        long output = request.outputTokens();
        for (int i = 0; i < budgets.size(); i++) {
            requireCountable(accounts.opened(budgets.get(i)), input, output);
        }
        int hold = holds.allocate();
        number(hold, request.id());
        holds.begin(hold, request.kind());
        holds.input(hold, input);
        holds.output(hold, output);
        holds.requestedOutput(hold, output);
        holds.expiresAt(hold, Amounts.add(now, request.hold().toMillis()));
        holds.budgets(hold, budgets);
        Price price = price(request);
        long cost = cost(request);
        if (price != null) {
            holds.price(hold, price, cost);
        }
        int chain = Holds.NONE;
        for (int i = 0; i < budgets.size(); i++) {
            Account account = accounts.opened(budgets.get(i));
            int line = lines.allocate();
            lines.hold[line] = hold;
            lines.account[line] = account.index;
            lines.nextOfHold[line] = chain;
            chain = line;
            account.lines.add(line);
            account.hold(request.kind() == Kind.UP_FRONT, input, output, cost);
            if (request.kind() == Kind.UP_FRONT) {
                continue;
            }
            for (Meter meter = account.firstMeter; meter != null; meter = meter.next) {
                if (meter.limit.unit() == LimitUnit.ATTEMPTS) {
                    meter.add(now, 1);
                }
            }
        }
        holds.firstLine(hold, chain);
        expiries.add(hold);
        held++;
        return hold;
    }

    private void number(int hold, @Nullable String callersId) {
        sequence++;
        if (callersId != null) {
            index.putCallersId(callersId, hold);
        } else {
            while (index.isTaken(sequence, hold)) {
                sequence++;
            }
        }
        holds.sequence(hold, sequence);
    }

    /** Only an unlimited or observed budget can be asked for so much: any other refuses it first. */
    private static void requireCountable(Account account, long input, long output) {
        boolean countable = input <= Limit.MAX_AMOUNT
                && output <= Limit.MAX_AMOUNT
                && account.held(LimitUnit.TOKENS) <= Long.MAX_VALUE - 2 * Limit.MAX_AMOUNT
                && account.heldCost <= Long.MAX_VALUE - Limit.MAX_AMOUNT;
        if (!countable) {
            throw new IllegalArgumentException("A reservation of " + input + " input and " + output
                    + " output tokens is more than can be counted: at most " + Limit.MAX_AMOUNT + " of each");
        }
    }

    /**
     * Adds output to a held reservation.
     *
     * @throws IllegalArgumentException if it is more than can be counted; nothing has changed then
     */
    void grow(int hold, long moreOutput) {
        long output = Amounts.add(holds.output(hold), moreOutput);
        for (int line = holds.firstLine(hold); line != Holds.NONE; line = lines.nextOfHold[line]) {
            requireCountable(accounts.ofLine(line), 0, output);
        }
        long cost = costOfMore(hold, moreOutput);
        Price price = holds.price(hold);
        if (price != null) {
            holds.price(hold, price, holds.cost(hold) + cost);
        }
        holds.output(hold, output);
        for (int line = holds.firstLine(hold); line != Holds.NONE; line = lines.nextOfHold[line]) {
            accounts.ofLine(line).grow(holds.isUpFront(hold), moreOutput, cost);
        }
    }

    /** Moves the expiry of a held reservation, and of what it draws from if that would be over first. */
    void extend(int hold, long moreMillis, long now) {
        expireAt(hold, Amounts.add(holds.expiresAt(hold), moreMillis));
        keepAlive(hold, now);
    }

    /** What {@code hold} draws from lasts as long as that. */
    void keepAlive(int hold, long now) {
        long expiresAt = holds.expiresAt(hold);
        for (int outer = upFront.around(hold, now); outer != Holds.NONE; outer = upFront.around(outer, now)) {
            if (holds.state(outer) == Holds.HELD && holds.expiresAt(outer) < expiresAt) {
                expireAt(outer, expiresAt);
            }
        }
    }

    private void expireAt(int hold, long expiresAt) {
        expiries.remove(hold);
        for (int line = holds.firstLine(hold); line != Holds.NONE; line = lines.nextOfHold[line]) {
            accounts.ofLine(line).lines.remove(line);
        }
        holds.expiresAt(hold, expiresAt);
        expiries.addBeside(hold);
        for (int line = holds.firstLine(hold); line != Holds.NONE; line = lines.nextOfHold[line]) {
            accounts.ofLine(line).lines.addBeside(line);
        }
    }

    /**
     * Books usage in place of a hold, or beside one that has expired; nothing for one that has ended otherwise. A policy
     * that throws books what was used, so that the books stay whole. More than can be counted is booked as the most that
     * can.
     *
     * @throws RuntimeException what the policy threw, after everything was booked
     * @throws Error likewise
     */
    void settle(int hold, long now, Usage reported, OverrunPolicy overrun) {
        long input = Math.min(reported.inputTokens(), Limit.MAX_AMOUNT);
        long output = Math.min(reported.outputTokens(), Limit.MAX_AMOUNT);
        Price price = holds.price(hold);
        long cost = price == null ? 0 : price.of(reported);
        Throwable fault = null;
        if (holds.state(hold) == Holds.HELD) {
            for (int line = holds.firstLine(hold); line != Holds.NONE; line = lines.nextOfHold[line]) {
                Throwable thrown = book(hold, accounts.ofLine(line), now, input, output, cost, overrun);
                fault = thrown == null ? fault : thrown;
            }
            Within within = holds.within(hold);
            long charged = within == null ? 0 : charged(hold, input + output, overrun);
            end(hold, Holds.SETTLED, now);
            settled++;
            upFront.settled(within, charged, now);
        } else if (holds.state(hold) == Holds.EXPIRED) {
            holds.state(hold, Holds.EXPIRED_AND_SETTLED);
            for (BudgetRef budget : holds.budgets(hold)) {
                // Its limits may have changed since: an account that is there keeps those it has.
                Account known = accounts.find(budget);
                Account account = known == null ? accounts.open(budget, now) : known;
                Throwable thrown = book(hold, account, now, input, output, cost, overrun);
                fault = thrown == null ? fault : thrown;
            }
        }
        if (fault instanceof RuntimeException thrown) {
            throw thrown;
        }
        if (fault instanceof Error thrown) {
            throw thrown;
        }
    }

    /** What a call that was held has taken, as the policy sees it. */
    private long charged(int hold, long used, OverrunPolicy overrun) {
        long reserved = holds.input(hold) + holds.output(hold);
        if (used <= reserved) {
            return used;
        }
        try {
            return Math.max(0, overrun.charge(LimitUnit.TOKENS, reserved, used));
        } catch (RuntimeException | Error booksWhatWasUsed) {
            return used;
        }
    }

    private @Nullable Throwable book(
            int hold, Account account, long now, long input, long output, long cost, OverrunPolicy overrun) {
        Throwable fault = null;
        for (Meter meter = account.firstMeter; meter != null; meter = meter.next) {
            LimitUnit unit = meter.limit.unit();
            long used = Amounts.used(unit, input, output, cost);
            long reserved = holds.amount(hold, unit);
            long charged = used;
            if (used > reserved) {
                try {
                    charged = Math.min(Math.max(0, overrun.charge(unit, reserved, used)), 2 * Limit.MAX_AMOUNT);
                } catch (RuntimeException | Error thrown) {
                    fault = thrown;
                }
            }
            meter.add(now, charged);
        }
        return fault;
    }

    /** Gives a hold back; nothing for a reservation that has ended. */
    void refund(int hold, long now) {
        if (holds.state(hold) == Holds.HELD) {
            Within within = holds.within(hold);
            long unused = within == null ? 0 : holds.isUpFront(hold) ? holds.output(hold) - within.own : within.drawn;
            end(hold, Holds.REFUNDED, now);
            refunded++;
            upFront.giveBack(within, unused, now);
        }
    }

    private void end(int hold, int state, long now) {
        expiries.remove(hold);
        int line = holds.firstLine(hold);
        while (line != Holds.NONE) {
            Account account = accounts.ofLine(line);
            account.lines.remove(line);
            account.release(holds.isUpFront(hold), holds.input(hold), holds.output(hold), holds.cost(hold));
            lines.free(line);
            line = lines.nextOfHold[line];
        }
        held--;
        holds.state(hold, state);
        holds.endedAt(hold, now);
        index.remember(hold);
    }

    /** The account of a budget to look at: one of its own, kept nowhere, if none is in memory. */
    Account look(BudgetRef budget) {
        Account account = accounts.find(budget);
        if (account == null) {
            return new Account(budget, null, Holds.NONE, new ExpiryList(holds, lines));
        }
        if (budget.limits() != budget.kept() || !account.keeps(budget)) {
            account.reconfigure(budget);
        }
        return account;
    }
}
