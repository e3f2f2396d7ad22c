package io.tokenbudget.core.metering;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rounds whose answers flow, in the order in which their holds expire: a stream may never say that it has ended, and
 * what flowed of it is booked when its hold does. Nothing here keeps what the application would otherwise let go: a round
 * knows numbers and names.
 *
 * <p>Thread-safe: one lock around the set. No thread of its own; whoever opens a call or asks for the report looks.
 */
final class OpenStreams {
    /** At most so many at a time, so that no call pays for all the others. */
    private static final int MOST_AT_ONCE = 64;

    /** Each with the time at which to look at it. */
    private final Map<Round, Long> rounds = new LinkedHashMap<>();

    void add(Round round) {
        synchronized (rounds) {
            rounds.put(round, round.expiresAt());
        }
    }

    void remove(Round round) {
        synchronized (rounds) {
            rounds.remove(round);
        }
    }

    /** Takes out rounds whose holds have expired; those that were extended go behind the others. */
    List<Round> takeExpired(long now) {
        List<Round> expired = new ArrayList<>(0);
        List<Round> extended = new ArrayList<>(0);
        synchronized (rounds) {
            Iterator<Map.Entry<Round, Long>> oldest = rounds.entrySet().iterator();
            for (int i = 0; i < MOST_AT_ONCE && oldest.hasNext(); i++) {
                Map.Entry<Round, Long> entry = oldest.next();
                if (entry.getValue() > now) {
                    break;
                }
                Round round = entry.getKey();
                oldest.remove();
                (round.expiresAt() > now ? extended : expired).add(round);
            }
            extended.forEach(round -> rounds.put(round, round.expiresAt()));
        }
        return expired;
    }

    int size() {
        synchronized (rounds) {
            return rounds.size();
        }
    }
}
