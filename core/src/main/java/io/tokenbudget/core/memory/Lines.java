package io.tokenbudget.core.memory;

import java.util.Arrays;

/**
 * The places of held reservations on their accounts, one line for each account of each: rows of columns, like
 * {@link Holds}. A reservation's lines are chained from its {@code firstLine} and freed when it ends. Not thread-safe;
 * guarded by the ledger's lock.
 */
final class Lines {
    private static final int FIRST_CAPACITY = 64;

    int[] hold = new int[FIRST_CAPACITY];

    /** The account's index in {@link Accounts}. */
    int[] account = new int[FIRST_CAPACITY];

    int[] nextOfHold = new int[FIRST_CAPACITY];
    final Links links = new Links(FIRST_CAPACITY);
    private final FreeList free = new FreeList(FIRST_CAPACITY);

    int allocate() {
        if (free.isEmpty()) {
            int larger = Math.multiplyExact(hold.length, 2);
            hold = Arrays.copyOf(hold, larger);
            account = Arrays.copyOf(account, larger);
            nextOfHold = Arrays.copyOf(nextOfHold, larger);
            links.grow(larger);
            free.grow(larger);
        }
        return free.take();
    }

    void free(int line) {
        free.give(line);
    }
}
