package io.tokenbudget.core.memory;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock for critical sections of a hundred nanoseconds: who finds it taken looks again, ever less often, for some
 * microseconds before it lets the operating system put the thread to sleep, which takes longer than the wait. Looking
 * seldom also leaves the owner's data in its processor's cache for several operations in a row.
 *
 * <p>Not a monitor, because a virtual thread that waits for one keeps its carrier.
 */
final class SpinningLock {
    /** The last look is after twice as long as all before: some ten microseconds. */
    private static final int LOOKS = 10;

    private final ReentrantLock lock = new ReentrantLock();

    void lock() {
        if (!lock.tryLock()) {
            lockContended();
        }
    }

    private void lockContended() {
        for (int look = 0; look < LOOKS; look++) {
            for (int pause = 1 << look; pause > 0; pause--) {
                Thread.onSpinWait();
            }
            if (!lock.isLocked() && lock.tryLock()) {
                return;
            }
        }
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }
}
