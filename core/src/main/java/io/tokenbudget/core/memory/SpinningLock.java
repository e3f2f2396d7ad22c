package io.tokenbudget.core.memory;

import java.util.concurrent.Semaphore;

/**
 * A lock for critical sections of a hundred nanoseconds: who finds it taken looks again, ever less often, for some
 * microseconds before it lets the operating system put the thread to sleep, which takes longer than the wait. Looking
 * seldom also leaves the owner's data in its processor's cache for several operations in a row.
 *
 * <p>A semaphore's permit, because a virtual thread that waits for a monitor keeps its carrier, and because noting the
 * owner by its number is cheaper than the reference that a {@code ReentrantLock} keeps of it.
 */
final class SpinningLock {
    /** The last look is after twice as long as all before: some ten microseconds. */
    private static final int LOOKS = 10;

    private static final long NOBODY = 0;

    private final Semaphore permit = new Semaphore(1);

    /** The number of the thread inside. Others may read an old value, but never their own number. */
    private long owner = NOBODY;

    /**
     * Not reentrant: the only foreign code that runs inside is an overrun policy.
     *
     * @throws IllegalStateException if this thread is inside already
     */
    void lock() {
        if (!permit.tryAcquire()) {
            lockContended();
        }
        owner = Thread.currentThread().getId();
    }

    private void lockContended() {
        if (owner == Thread.currentThread().getId()) {
            throw new IllegalStateException(
                    "The ledger must not be called from inside itself, as an overrun policy did");
        }
        for (int look = 0; look < LOOKS; look++) {
            for (int pause = 1 << look; pause > 0; pause--) {
                Thread.onSpinWait();
            }
            if (permit.availablePermits() > 0 && permit.tryAcquire()) {
                return;
            }
        }
        permit.acquireUninterruptibly();
    }

    void unlock() {
        owner = NOBODY;
        permit.release();
    }
}
