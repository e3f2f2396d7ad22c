package io.tokenbudget.examples.providerstub;

import java.util.concurrent.CountDownLatch;

/** Where calls wait that are never answered. Thread-safe. */
final class Gate {
    private CountDownLatch latch = new CountDownLatch(1);

    void await() throws InterruptedException {
        CountDownLatch present;
        synchronized (this) {
            present = latch;
        }
        present.await();
    }

    /** Lets all go that wait now; later ones wait for the next release. */
    synchronized void release() {
        latch.countDown();
        latch = new CountDownLatch(1);
    }
}
