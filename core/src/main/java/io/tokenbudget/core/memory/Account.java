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
 * <p>The limits in force are those of the caller of the operation under way, or of the last one. What is used is counted for every
 * caller's limits all the time.
 *
 * <p>What is held is kept once for the scope, as sums over its lines; every meter reads its unit from them.
 */
final class Account {
    static final String RUN = "run";

    final Scope scope;

    /** Whether it is a run's, alone or joined with other dimensions: then what is used lives as long as the run. */
    final boolean ofRun;

    final @Nullable Accounts owner;

    /** This account's place in {@link Accounts}. */
    final int index;

    /** False once it has left memory. */
    boolean inMemory = true;

    /** The lines of the holds on this account. */
    final ExpiryList lines;

    long heldInput;
    long heldOutput;
    long heldCount;

    /** Nano-USD. */
    long heldCost;

    /** Tokens held for calls to come, and by how many reservations. */
    long heldUpFront;

    long upFrontCount;

    /** When a call last asked for it. */
    long touchedAt;

    /** When to look again whether this account is at rest. */
    long restCheckAt;

    private List<Limit> kept;
    private List<Limit> limits;

    /** The meters of its limits, chained; null if it has no limits. */
    @Nullable
    Meter firstMeter;

    /** The run that it is kept for, or null. */
    final @Nullable String run;

    /** The next account of the same run. */
    @Nullable
    Account nextOfRun;

    /** The one before it. */
    @Nullable
    Account previousOfRun;

    /** Whether no call of the run will come any more. */
    boolean runHasEnded;

    Account(BudgetRef budget, @Nullable Accounts owner, int index, ExpiryList lines) {
        this.scope = budget.scope();
        this.run = scope.valueOf(RUN);
        this.ofRun = run != null;
        this.owner = owner;
        this.index = index;
        this.lines = lines;
        this.kept = budget.kept();
        this.limits = budget.limits();
        keep(kept);
        putInForce(limits);
    }

    /** Takes over the limits of a caller, and a changed configuration: what is used stays where unit and window stay. */
    void reconfigure(BudgetRef budget) {
        boolean changed = budget.kept() != kept;
        if (changed) {
            kept = budget.kept();
            keep(kept);
        }
        if (changed || budget.limits() != limits) {
            limits = budget.limits();
            putInForce(limits);
        }
    }

    /** Whether it counts what {@code budget} wants counted. */
    boolean keeps(BudgetRef budget) {
        return budget.kept() == kept;
    }

    /** Takes over the limits of a call that is under way, unless the configuration has changed since it began. */
    void resume(BudgetRef budget) {
        if (keeps(budget)) {
            reconfigure(budget);
        }
    }

    private void putInForce(List<Limit> ofCaller) {
        for (Meter meter = firstMeter; meter != null; meter = meter.next) {
            meter.inForce = false;
            for (int i = 0; i < ofCaller.size(); i++) {
                if (meter.isFor(ofCaller.get(i))) {
                    meter.limit = ofCaller.get(i);
                    meter.inForce = true;
                }
            }
        }
    }

    private void keep(List<Limit> counted) {
        List<Meter> meters = new ArrayList<>();
        for (Limit limit : counted) {
            Meter meter = meterLike(limit);
            meters.add(meter == null ? Meter.of(limit) : meter);
        }
        // A run is bound by what its methods say beside the configuration, and not every call is one of theirs.
        for (Meter meter = ofRun ? firstMeter : null; meter != null; meter = meter.next) {
            if (!meters.contains(meter)) {
                meters.add(meter);
            }
        }
        Meter next = null;
        for (int i = meters.size() - 1; i >= 0; i--) {
            Meter meter = meters.get(i);
            meter.next = next;
            next = meter;
        }
        firstMeter = next;
    }

    private @Nullable Meter meterLike(Limit limit) {
        for (Meter meter = firstMeter; meter != null; meter = meter.next) {
            if (meter.isFor(limit)) {
                return meter;
            }
        }
        return null;
    }

    long held(LimitUnit unit) {
        return switch (unit) {
            case TOKENS -> heldInput + heldOutput + heldUpFront;
            case INPUT_TOKENS -> heldInput;
            case OUTPUT_TOKENS -> heldOutput;
            case REQUESTS, CONCURRENT -> heldCount;
            case USD -> heldCost;
            case ATTEMPTS -> 0;
        };
    }

    /** Adds a reservation of these tokens. */
    void hold(boolean upFront, long input, long output, long cost) {
        if (upFront) {
            upFrontCount++;
        } else {
            heldInput += input;
            heldCount++;
        }
        grow(upFront, output, cost);
    }

    /** Adds output to a reservation. */
    void grow(boolean upFront, long output, long cost) {
        heldCost += cost;
        if (upFront) {
            heldUpFront += output;
        } else {
            heldOutput += output;
        }
    }

    /** Takes a reservation of these tokens away. */
    void release(boolean upFront, long input, long output, long cost) {
        if (upFront) {
            upFrontCount--;
        } else {
            heldInput -= input;
            heldCount--;
        }
        grow(upFront, -output, -cost);
    }

    /** Whether no reservation is held on it. */
    boolean isFree() {
        return heldCount + upFrontCount == 0;
    }

    boolean atRest(long now) {
        if (!isFree()) {
            return false;
        }
        for (Meter meter = firstMeter; meter != null; meter = meter.next) {
            if (meter.used(now) > 0) {
                return false;
            }
        }
        return true;
    }

    /** When everything used now will have left; {@link Meter#NEVER} if that never happens. */
    long emptyAt(long now) {
        long latest = now;
        for (Meter meter = firstMeter; meter != null; meter = meter.next) {
            latest = Math.max(latest, meter.emptyAt(now));
        }
        return latest;
    }

    /** The numbers of each limit in force. */
    List<LimitState> copy(long now) {
        List<LimitState> states = new ArrayList<>();
        for (Meter meter = firstMeter; meter != null; meter = meter.next) {
            Limit limit = meter.limit;
            long held = held(limit.unit());
            if (!meter.inForce) {
                continue;
            }
            states.add(new LimitState(
                    scope, limit, meter.used(now), held, meter.remaining(now, held), meter.emptyAt(now)));
        }
        return states;
    }
}
