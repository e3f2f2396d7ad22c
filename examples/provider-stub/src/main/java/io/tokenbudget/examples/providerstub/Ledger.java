package io.tokenbudget.examples.providerstub;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What the provider has billed, in the order in which it was booked.
 *
 * <p>Thread-safe. An answered call is booked before the last byte of its answer is sent, so whoever has the answer finds
 * it here.
 */
public final class Ledger {
    private final List<BilledCall> calls = new ArrayList<>();

    Ledger() {}

    /** The sum over some calls. */
    public record Billed(long calls, long inputTokens, long outputTokens, long totalTokens) {}

    /** All calls, also those that cost nothing. */
    public List<BilledCall> calls() {
        return calls(call -> true);
    }

    /** The calls of one API key. */
    public List<BilledCall> calls(String key) {
        return calls(call -> call.key().equals(key));
    }

    /** The sum of what was billed. */
    public Billed billed() {
        return sum(calls());
    }

    /** The sum of what was billed to one API key. */
    public Billed billed(String key) {
        return sum(calls(key));
    }

    /**
     * Waits until a key has at least {@code atLeast} calls: for calls whose client left before they ended.
     *
     * @return the calls of that key
     * @throws IllegalStateException if there are fewer after {@code atMost}
     */
    public List<BilledCall> awaitCalls(String key, int atLeast, Duration atMost) throws InterruptedException {
        return await(call -> call.key().equals(key), "calls of " + key, atLeast, atMost);
    }

    /**
     * Waits until the stub has seen that the client closed the connections of at least {@code atLeast} of a key's calls
     * before they had been answered. It sees that at once, also while it sends nothing.
     *
     * @return the calls of that key that were left, as they are billed
     * @throws IllegalStateException if there are fewer after {@code atMost}
     */
    public List<BilledCall> awaitLeftByClient(String key, int atLeast, Duration atMost) throws InterruptedException {
        return await(
                call -> call.key().equals(key) && call.clientLeft(),
                "calls of " + key + " that the client left",
                atLeast,
                atMost);
    }

    private synchronized List<BilledCall> await(Predicate<BilledCall> wanted, String name, int atLeast, Duration atMost)
            throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        List<BilledCall> found = calls(wanted);
        while (found.size() < atLeast) {
            long millis = (end - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                throw new IllegalStateException("after " + atMost + " only " + found.size() + " " + name);
            }
            wait(millis);
            found = calls(wanted);
        }
        return found;
    }

    /** Forgets everything. */
    public synchronized void clear() {
        calls.clear();
    }

    synchronized void add(BilledCall call) {
        calls.add(call);
        notifyAll();
    }

    /** Puts a later state of a call in the place of {@code before}, if that is still here. */
    synchronized void replace(BilledCall before, BilledCall now) {
        int place = calls.indexOf(before); // of equal lines any one will do
        if (place >= 0) {
            calls.set(place, now);
            notifyAll();
        }
    }

    synchronized List<BilledCall> calls(Predicate<BilledCall> wanted) {
        return calls.stream().filter(wanted).toList();
    }

    static Billed sum(List<BilledCall> calls) {
        long billed = 0;
        long input = 0;
        long output = 0;
        for (BilledCall call : calls) {
            billed += call.billed() ? 1 : 0;
            input += call.promptTokens();
            output += call.completionTokens();
        }
        return new Billed(billed, input, output, input + output);
    }
}
