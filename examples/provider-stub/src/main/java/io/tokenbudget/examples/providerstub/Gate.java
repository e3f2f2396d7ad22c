package io.tokenbudget.examples.providerstub;

import java.util.concurrent.CompletableFuture;

/** Where calls wait that are never answered. Thread-safe. */
final class Gate {
    private CompletableFuture<Void> opening = new CompletableFuture<>();

    /** Completes with the next release. */
    synchronized CompletableFuture<Void> opening() {
        return opening;
    }

    /** Lets all go that wait now; later ones wait for the next release. */
    synchronized void release() {
        opening.complete(null);
        opening = new CompletableFuture<>();
    }
}
