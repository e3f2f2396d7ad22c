package io.tokenbudget.core.memory;

import java.util.Arrays;

/** The neighbours of rows in a list: {@link Holds#NONE} at its ends. Guarded by the ledger's lock. */
final class Links {
    /** In {@link #previous}: the row is not in the list but in the tree beside it. */
    static final int OUT_OF_LINE = -2;

    int[] previous;
    int[] next;

    Links(int capacity) {
        this.previous = new int[capacity];
        this.next = new int[capacity];
    }

    void grow(int larger) {
        previous = Arrays.copyOf(previous, larger);
        next = Arrays.copyOf(next, larger);
    }
}
