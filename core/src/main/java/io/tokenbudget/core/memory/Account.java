package io.tokenbudget.core.memory;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.Scope;
import io.tokenbudget.core.spi.Window;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One scope's budget: what is held, and a meter for each limit. Not thread-safe; guarded by the ledger's lock.
 *
 * <p>What is held is kept once for the scope, as sums over its lines; every meter reads its unit from them.
 */
final class Account {
    final Scope scope;

    /** Whether it is a run's, alone or joined with other dimensions: then what is used lives as long as the run. */
    final boolean ofRun;

    /** This account's place in {@link Accounts}. */
    final int index;

    /** The lines of the holds on this account. */
    final ExpiryList lines;

    long heldInput;
    long heldOutput;
    long heldCount;

    /** When a call last asked for it. */
    long touchedAt;

    /** When to look again whether this account is at rest. */
    long restCheckAt;

    private List<Limit> limits;
    private Meter[] meters;

    Account(BudgetRef budget, int index, ExpiryList lines) {
        this.scope = budget.scope();
        this.ofRun = List.of(scope.dimension().split("/")).contains("run");
        this.index = index;
        this.lines = lines;
        this.limits = budget.limits();
        this.meters = new Meter[limits.size()];
        for (int i = 0; i < meters.length; i++) {
            meters[i] = new Meter(limits.get(i));
        }
    }

    Meter[] meters() {
        return meters;
    }

    /** Takes over changed limits; what is used stays where unit and window stay. */
    void reconfigure(List<Limit> newLimits) {
        if (newLimits == limits) {
            return;
        }
        List<Meter> kept = new ArrayList<>();
        for (Limit limit : newLimits) {
            Meter before = meterLike(limit);
            kept.add(before == null ? new Meter(limit) : new Meter(limit, before.counter));
        }
        meters = kept.toArray(Meter[]::new);
        limits = newLimits;
    }

    private @Nullable Meter meterLike(Limit limit) {
        for (Meter meter : meters) {
            if (meter.limit.unit() == limit.unit() && meter.limit.window().equals(limit.window())) {
                return meter;
            }
        }
        return null;
    }

    long held(LimitUnit unit) {
        return switch (unit) {
            case TOKENS -> heldInput + heldOutput;
            case INPUT_TOKENS -> heldInput;
            case OUTPUT_TOKENS -> heldOutput;
            case REQUESTS, CONCURRENT -> heldCount;
            case ATTEMPTS, USD -> 0;
        };
    }

    boolean atRest(long now) {
        if (heldCount > 0) {
            return false;
        }
        for (Meter meter : meters) {
            if (meter.counter.used(now) > 0) {
                return false;
            }
        }
        return true;
    }

    /** When everything used now will have left; {@link UsedCounter#NEVER} if that never happens. */
    long emptyAt(long now) {
        long latest = now;
        for (Meter meter : meters) {
            latest = Math.max(latest, meter.counter.emptyAt(now));
        }
        return latest;
    }

    /** Adds an entry for each limit. */
    void describe(long now, List<BudgetStatus> into) {
        for (Meter meter : meters) {
            Limit limit = meter.limit;
            long held = held(limit.unit());
            long used = meter.counter.used(now);
            long emptyAt = meter.counter.emptyAt(now);
            boolean resets = used > 0 && emptyAt != UsedCounter.NEVER;
            boolean hasWindow = !(limit.window() instanceof Window.Lifetime);
            into.add(new BudgetStatus(
                    scope.toString(),
                    limit.unit().toString(),
                    hasWindow ? limit.window().toString() : null,
                    limit.amount(),
                    used,
                    held,
                    meter.remaining(now, held),
                    resets ? Instant.ofEpochMilli(emptyAt) : null,
                    limit.unlimited()));
        }
    }
}
