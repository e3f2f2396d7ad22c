package io.tokenbudget.core.memory;

import io.tokenbudget.core.spi.OverrunPolicy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A lock for critical sections of a hundred nanoseconds. Who finds it taken looks again after some microseconds, then ever
 * less often, asleep. Nobody has to be woken, so leaving costs the owner one write, and looking seldom leaves the owner's
 * data in its processor's cache for many operations in a row; a queue would hand that data to and fro.
 *
 * <p>Not a monitor, because a virtual thread that waits for one keeps its carrier. One atomic says whether it is taken:
 * taking it is a compare-and-set, and only the owner gives it back.
 */
final class SpinningLock {
    private static final int FREE = 0;
    private static final int TAKEN = 1;

    /** Some ten microseconds. */
    private static final int FIRST_PAUSES = 256;

    private static final int SPINS = 2;
    private static final long FIRST_SLEEP_NANOS = 20_000;
    private static final long LONGEST_SLEEP_NANOS = 500_000;

    private final AtomicInteger state = new AtomicInteger(FREE);

    /** The owner while it runs foreign code, which is the only code that could come back for the lock. */
    private volatile @Nullable Thread outside;

    /**
     * Waits for the lock.
     *
     * @throws IllegalStateException if this thread is inside already, running foreign code
     */
    void lock() {
        if (!state.compareAndSet(FREE, TAKEN)) {
            lockContended();
        }
    }

    private void lockContended() {
        if (outside == Thread.currentThread()) {
            throw new IllegalStateException("An overrun policy must not call the ledger that calls it");
        }
        int spins = 0;
        long sleepNanos = FIRST_SLEEP_NANOS;
        do {
            if (spins < SPINS) {
                for (int pauses = FIRST_PAUSES << spins++; pauses > 0; pauses--) {
                    Thread.onSpinWait();
                }
            } else {
                LockSupport.parkNanos(this, sleepNanos);
                sleepNanos = Math.min(2 * sleepNanos, LONGEST_SLEEP_NANOS);
            }
        } while (state.get() == TAKEN || !state.compareAndSet(FREE, TAKEN));
    }

    void unlock() {
        state.setRelease(FREE);
    }

    /** {@code policy} so that calling the ledger from it fails instead of waiting for itself. For use inside. */
    OverrunPolicy guard(OverrunPolicy policy) {
        if (policy == OverrunPolicy.CHARGE_ACTUAL || policy == OverrunPolicy.CAP_AT_ESTIMATE) {
            return policy;
        }
        return (unit, reserved, actual) -> {
            outside = Thread.currentThread();
            try {
                return policy.charge(unit, reserved, actual);
            } finally {
                outside = null;
            }
        };
    }
}
