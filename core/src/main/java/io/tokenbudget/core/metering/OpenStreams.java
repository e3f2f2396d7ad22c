package io.tokenbudget.core.metering;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rounds whose answers flow, in the order in which their holds expire: a stream may never say that it has ended, and
 * what flowed of it is booked when its hold does. Nothing here keeps what the application would otherwise let go: a round
 * knows numbers and names.
 *
 * <p>No thread of its own; whoever opens a call or asks for the report looks. Thread-safe: one lock around both maps. It is
 * held while rounds are booked, so that nobody reserves the room of an expired hold before what flowed has taken it; a
 * round's own lock and the ledger's are taken inside of it, never the other way round.
 */
final class OpenStreams {
    private static final long NEVER = Long.MAX_VALUE;

    /** When to look at a round, and which of those with the same time came first. */
    private record Due(long time, long number) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            return time == other.time ? Long.compare(number, other.number) : Long.compare(time, other.time);
        }
    }

    private final TreeMap<Due, Round> byTime = new TreeMap<>();
    private final Map<Round, Due> dues = new HashMap<>();
    private long number;

    /** The earliest of all times, so that nearly everybody who looks needs no lock. */
    private volatile long first = NEVER;

    void add(Round round) {
        synchronized (dues) {
            put(round);
            first = byTime.firstKey().time();
        }
    }

    private void put(Round round) {
        @Nullable Due before = dues.get(round);
        if (before != null) {
            byTime.remove(before);
        }
        Due due = new Due(round.expiresAt(), number++);
        byTime.put(due, round);
        dues.put(round, due);
    }

    void remove(Round round) {
        synchronized (dues) {
            @Nullable Due due = dues.remove(round);
            if (due != null) {
                byTime.remove(due);
            }
        }
    }

    /**
     * Hands the rounds whose holds have expired to {@code book}, which does not throw; those that were extended are put where
     * they belong now.
     *
     * @return what was handed over
     */
    List<Round> bookExpired(long now, Consumer<Round> book) {
        if (now < first) {
            return List.of();
        }
        List<Round> expired = new ArrayList<>();
        synchronized (dues) {
            while (!byTime.isEmpty() && byTime.firstKey().time() <= now) {
                Round round = byTime.pollFirstEntry().getValue();
                dues.remove(round);
                if (round.expiresAt() > now) {
                    put(round);
                } else {
                    book.accept(round);
                    expired.add(round);
                }
            }
            first = byTime.isEmpty() ? NEVER : byTime.firstKey().time();
        }
        return expired;
    }

    int size() {
        synchronized (dues) {
            return dues.size();
        }
    }
}
