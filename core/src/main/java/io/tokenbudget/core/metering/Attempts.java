package io.tokenbudget.core.metering;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.IdempotencyConflictException;
import io.tokenbudget.Reservation;
import io.tokenbudget.ReservationStatus;
import io.tokenbudget.core.DefaultTokenLimiter;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The holds of calls that their callers have named by an idempotency key, so that a repeat is known for one (C7).
 *
 * <pre>
 *   key ── hold id ──┬── call          the whole hold is still there: no second one
 *                    └── its repeat    whoever ends last ends the hold, the others are charged beside it
 *       ── hold id#2 ── repeat         the hold before has ended: the provider bills again, so there is another
 * </pre>
 *
 * <p>Thread-safe. What is kept of one key is guarded by its {@link Call}, also while the ledger is asked, so that a hold
 * cannot end between being found and being joined. Calls at rest are forgotten in the order of their last use; what comes
 * after that finds its attempt by asking the ledger for one after the other.
 */
final class Attempts {
    private static final int MOST_CALLS = 10_000;
    private static final int MOST_LOOKED_AT = 1_000;

    private final DefaultTokenLimiter limiter;

    /** In the order of use; guarded by itself. */
    private final Map<String, Call> calls = new LinkedHashMap<>(16, 0.75f, true);

    Attempts(DefaultTokenLimiter limiter) {
        this.limiter = limiter;
    }

    /**
     * Holds what is wanted, or joins the hold of the same call.
     *
     * @throws io.tokenbudget.LimitExceededException if a new hold is refused
     */
    Round hold(String key, Hold wanted) {
        Call call;
        synchronized (calls) {
            call = calls.computeIfAbsent(id(key, wanted.request().context()), Call::new);
            call.users.incrementAndGet();
            forgetSome();
        }
        try {
            return call.hold(wanted, limiter);
        } finally {
            call.users.decrementAndGet();
        }
    }

    /** How many calls are remembered. */
    int size() {
        synchronized (calls) {
            return calls.size();
        }
    }

    /** The eldest first, past those that are in use. */
    private void forgetSome() {
        Iterator<Call> eldest = calls.values().iterator();
        for (int i = 0; i < MOST_LOOKED_AT && calls.size() > MOST_CALLS && eldest.hasNext(); i++) {
            if (eldest.next().users.get() == 0) {
                eldest.remove();
            }
        }
    }

    /**
     * Callers that differ do not meet in one key; runs do not count, because each attempt may begin one. What ids are made
     * of is doubled where a key has it: no key is another one's attempt.
     */
    private static String id(String key, BudgetContext context) {
        Map<String, String> caller = new TreeMap<>(context.dimensions());
        caller.remove("run");
        String escaped = key.replace("#", "##").replace("@", "@@");
        return caller.isEmpty() ? escaped : escaped + '@' + Integer.toHexString(caller.hashCode());
    }

    /** One key of one caller. */
    static final class Call {
        private final String id;

        /** Rounds that use it, and threads about to. */
        private final AtomicInteger users = new AtomicInteger();

        private int attempt = 1;
        private @Nullable Sharing latest;

        Call(String id) {
            this.id = id;
        }

        private synchronized Round hold(Hold wanted, DefaultTokenLimiter limiter) {
            Sharing open = latest == null || latest.rounds == 0 ? null : latest;
            int number = attempt;
            while (true) {
                if (open == null || open.hasRoomFor(wanted)) {
                    Hold named = wanted.named(number == 1 ? id : id + '#' + number);
                    Reservation held = held(open == null ? named : open.asked, limiter);
                    if (held != null) {
                        // Not before: a refusal leaves what is held to be found again.
                        attempt = number;
                        return round(held, named, open);
                    }
                }
                number++;
                open = null;
            }
        }

        private Round round(Reservation held, Hold named, @Nullable Sharing open) {
            Sharing sharing = open == null ? new Sharing(this, named) : open;
            latest = sharing;
            sharing.rounds++;
            users.incrementAndGet();
            return new Round(held, named, sharing);
        }

        /** The reservation if it is held, new or not. */
        private static @Nullable Reservation held(Hold asked, DefaultTokenLimiter limiter) {
            try {
                Reservation reservation = asked.reserve(limiter);
                return reservation.status() == ReservationStatus.HELD ? reservation : null;
            } catch (IdempotencyConflictException ofAnotherCall) {
                return null;
            }
        }
    }

    /** One hold and the rounds that go on under it; guarded by its call. */
    static final class Sharing {
        private final Call call;
        private final Hold asked;
        private int rounds;

        private Sharing(Call call, Hold asked) {
            this.call = call;
            this.asked = asked;
        }

        /** A hold that grows with its answer is one answer's alone: two would each count on the same part. */
        private boolean hasRoomFor(Hold wanted) {
            return asked.isWhole() && wanted.isWhole() && asked.covers(wanted);
        }

        /** Ends one round: {@code hold} if it is the last, which ends the hold, else {@code beside}. */
        void end(Runnable hold, Runnable beside) {
            synchronized (call) {
                boolean last = --rounds == 0;
                call.users.decrementAndGet();
                (last ? hold : beside).run();
            }
        }
    }
}
