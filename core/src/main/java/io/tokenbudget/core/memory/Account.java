package io.tokenbudget.core.memory;

import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.Scope;
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
    final ExpiryQueue<Line> lines = new ExpiryQueue<>();
    long heldInput;
    long heldOutput;
    long heldCount;

    /** When a call last asked for it. */
    long touchedAt;

    /** When to look again whether this account is at rest. */
    long restCheckAt;

    private List<Limit> limits;
    private Meter[] meters;

    Account(BudgetRef budget) {
        this.scope = budget.scope();
        this.limits = budget.limits();
        this.meters = new Meter[limits.size()];
        for (int i = 0; i < meters.length; i++) {
            meters[i] = new Meter(limits.get(i));
        }
    }

    List<Limit> limits() {
        return limits;
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
            Meter before = meterOf(limit.unit(), limit);
            kept.add(before == null ? new Meter(limit) : new Meter(limit, before.counter));
        }
        meters = kept.toArray(Meter[]::new);
        limits = newLimits;
    }

    private @Nullable Meter meterOf(LimitUnit unit, Limit like) {
        for (Meter meter : meters) {
            if (meter.limit.unit() == unit && meter.limit.window().equals(like.window())) {
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

    void hold(Line line) {
        lines.add(line);
        heldInput += line.hold.input;
        heldOutput += line.hold.output;
        heldCount++;
    }

    void release(Line line) {
        lines.remove(line);
        heldInput -= line.hold.input;
        heldOutput -= line.hold.output;
        heldCount--;
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
}
