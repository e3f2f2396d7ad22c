package io.tokenbudget.core.memory;

import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.LimitUnit;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is held up front for calls to come, and how holds draw from it. Not thread-safe; guarded by the ledger's lock.
 *
 * <p>A hold may be made within one up front, and that within another one. What it needs is drawn from the innermost that is
 * held, then from the next one, and only the rest is held anew: drawing and holding are one step, so that nobody takes the
 * room in between. When it ends, what it had drawn and did not use goes back to the innermost that is still held, as far as
 * the limits allow: the budgets of both need not be the same ones. Expiry gives nothing back, since what has expired may yet
 * be used. Whatever is held within a hold keeps that alive.
 */
final class UpFront {
    private final Holds holds;
    private final Lines lines;
    private final Accounts accounts;
    private final HoldIndex index;

    /** The latest {@link #draw}, to be put back: rows and amounts, the innermost first. */
    private int[] sources = new int[2];

    private long[] amounts = new long[2];
    private int count;

    UpFront(Holds holds, Lines lines, Accounts accounts, HoldIndex index) {
        this.holds = holds;
        this.lines = lines;
        this.accounts = accounts;
        this.index = index;
    }

    /** The hold up front that is known by {@code id}, or {@link Holds#NONE}. */
    int find(@Nullable String id, long now) {
        int hold = id == null ? Holds.NONE : index.find(id, now);
        return hold == Holds.NONE || !holds.isUpFront(hold) ? Holds.NONE : hold;
    }

    /** Where {@code hold} draws from, or {@link Holds#NONE}. */
    int around(int hold, long now) {
        return around(holds.within(hold), now);
    }

    private int around(@Nullable Within within, long now) {
        return within != null && index.isRemembered(within.outer, within.outerSequence, now)
                ? within.outer
                : Holds.NONE;
    }

    private int heldFrom(int hold, long now) {
        int held = hold;
        while (held != Holds.NONE && holds.state(held) != Holds.HELD) {
            held = around(held, now);
        }
        return held;
    }

    /**
     * Takes up to {@code wanted} tokens out of {@code innermost} and what is around it. They are nobody's until {@link
     * #keep} or {@link #putBackUnless}.
     *
     * @return how many
     */
    long draw(int innermost, long wanted, long now) {
        count = 0;
        long left = wanted;
        for (int from = heldFrom(innermost, now);
                from != Holds.NONE && left > 0;
                from = heldFrom(around(from, now), now)) {
            long amount = Math.min(left, holds.output(from));
            if (amount > 0) {
                add(from, -amount);
                remember(from, amount);
                left -= amount;
            }
        }
        return wanted - left;
    }

    private void remember(int source, long amount) {
        if (count == sources.length) {
            sources = Arrays.copyOf(sources, 2 * count);
            amounts = Arrays.copyOf(amounts, 2 * count);
        }
        sources[count] = source;
        amounts[count++] = amount;
    }

    /** Undoes the latest draw if nothing came of it. */
    void putBackUnless(boolean granted) {
        for (int i = 0; i < count && !granted; i++) {
            add(sources[i], amounts[i]);
        }
        count = 0;
    }

    /** A new hold has drawn so much. */
    void keep(int hold, int outer, long drawn) {
        holds.within(hold, new Within(outer, holds.sequence(outer)));
        keepMore(hold, drawn, holds.input(hold) + holds.output(hold) - drawn);
    }

    /** A hold has grown by what it has drawn, and by what it has of its own. */
    void keepMore(int hold, long drawn, long own) {
        Within within = holds.within(hold);
        if (within != null) {
            within.drawn += drawn;
            within.own += own;
        }
    }

    /**
     * A call within {@code within} has used so many tokens. What is more than it held is taken off what is held for the calls
     * to come, of which it is one.
     *
     * @param within null: it has drawn from nowhere
     */
    void settled(@Nullable Within within, long used, long now) {
        if (within == null) {
            return;
        }
        giveBack(within, within.drawn - used, now);
        long beyond = used - within.drawn - within.own;
        if (beyond > 0) {
            draw(around(within, now), beyond, now);
            putBackUnless(true);
        }
    }

    /**
     * A hold within {@code within} has ended.
     *
     * @param within null: it has drawn from nowhere
     * @param unused what it had drawn and did not use; none if negative
     */
    void giveBack(@Nullable Within within, long unused, long now) {
        int outer = unused <= 0 ? Holds.NONE : heldFrom(around(within, now), now);
        if (outer == Holds.NONE) {
            return;
        }
        long back = unused;
        for (BudgetRef budget : holds.budgets(outer)) {
            Account account = accounts.find(budget);
            if (account != null) {
                account.resume(budget);
            }
        }
        for (int line = holds.firstLine(outer); line != Holds.NONE; line = lines.nextOfHold[line]) {
            Account account = accounts.ofLine(line);
            for (Meter meter = account.firstMeter; meter != null; meter = meter.next) {
                if (meter.limit.unit() == LimitUnit.TOKENS) {
                    back = Math.min(back, meter.remaining(now, account.held(LimitUnit.TOKENS)));
                }
            }
        }
        add(outer, back);
    }

    private void add(int hold, long tokens) {
        holds.output(hold, holds.output(hold) + tokens);
        for (int line = holds.firstLine(hold); line != Holds.NONE; line = lines.nextOfHold[line]) {
            accounts.ofLine(line).heldUpFront += tokens;
        }
    }
}
