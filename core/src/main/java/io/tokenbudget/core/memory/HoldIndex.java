package io.tokenbudget.core.memory;

import java.util.HashMap;
import java.util.Map;

/**
 * Finds reservations by id, and the ended ones by age. An ended reservation is remembered until it is too old or there
 * are too many, the oldest first. Not thread-safe; guarded by the ledger's lock.
 */
final class HoldIndex {
    private final Holds holds;
    private final Ids ids = new Ids();
    private final Map<String, Integer> callersIds = new HashMap<>();
    private final long rememberMillis;
    private final int rememberAtMost;
    private int oldestEnded = Holds.NONE;
    private int latestEnded = Holds.NONE;
    private int ended;

    HoldIndex(Holds holds, long rememberMillis, int rememberAtMost) {
        this.holds = holds;
        this.rememberMillis = rememberMillis;
        this.rememberAtMost = rememberAtMost;
    }

    int endedCount() {
        return ended;
    }

    /** The id that the ledger gives to the reservation in {@code hold}. Needs no lock. */
    String madeId(long sequence, int hold) {
        return ids.id(sequence, hold);
    }

    String id(int hold) {
        String callersId = holds.callersId[hold];
        return callersId == null ? ids.id(holds.sequence(hold), hold) : callersId;
    }

    void putCallersId(String id, int hold) {
        callersIds.put(id, hold);
        holds.callersId[hold] = id;
    }

    /** Whether a caller has thought of the very id that the ledger would make next. */
    boolean isTaken(long sequence, int hold) {
        return !callersIds.isEmpty() && callersIds.containsKey(ids.id(sequence, hold));
    }

    /** The reservation's row, or {@link Holds#NONE} if there is none or it ended too long ago. */
    int find(String id, long now) {
        int hold = lookUp(id);
        boolean over =
                hold != Holds.NONE && holds.state(hold) != Holds.HELD && now - holds.endedAt(hold) >= rememberMillis;
        if (!over) {
            return hold;
        }
        while (oldestIsOver(now)) {
            forgetOldest();
        }
        return Holds.NONE;
    }

    /** Whether the reservation that had this number in {@code hold} is held, or ended not too long ago. */
    boolean isRemembered(int hold, long sequence, long now) {
        return holds.sequence(hold) == sequence
                && (holds.state(hold) == Holds.HELD
                        || (holds.state(hold) != Holds.FREE && now - holds.endedAt(hold) < rememberMillis));
    }

    private int lookUp(String id) {
        long code = ids.code(id);
        int row = Ids.row(code);
        boolean made = code != Ids.FOREIGN
                && row >= 0
                && row < holds.capacity()
                && holds.state(row) != Holds.FREE
                && holds.callersId[row] == null
                && Ids.isOf(code, holds.sequence(row));
        if (made) {
            return row;
        }
        return callersIds.isEmpty() ? Holds.NONE : callersIds.getOrDefault(id, Holds.NONE);
    }

    /** Remembers a reservation that has just ended, as the latest. */
    void remember(int hold) {
        holds.links.next[hold] = Holds.NONE;
        if (latestEnded == Holds.NONE) {
            oldestEnded = hold;
        } else {
            holds.links.next[latestEnded] = hold;
        }
        latestEnded = hold;
        ended++;
        forgetOld(holds.endedAt(hold), 2);
        while (ended > rememberAtMost) {
            forgetOldest();
        }
    }

    /** Forgets up to {@code most} reservations that ended too long ago. */
    void forgetOld(long now, int most) {
        for (int i = 0; i < most && oldestIsOver(now); i++) {
            forgetOldest();
        }
    }

    private boolean oldestIsOver(long now) {
        return oldestEnded != Holds.NONE && now - holds.endedAt(oldestEnded) >= rememberMillis;
    }

    private void forgetOldest() {
        int hold = oldestEnded;
        oldestEnded = holds.links.next[hold];
        if (oldestEnded == Holds.NONE) {
            latestEnded = Holds.NONE;
        }
        ended--;
        String id = holds.callersId[hold];
        if (id != null) {
            callersIds.remove(id);
        }
        holds.free(hold);
    }
}
