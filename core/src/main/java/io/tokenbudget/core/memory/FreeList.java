package io.tokenbudget.core.memory;

import java.util.Arrays;

/** Rows that may be used again, the last given back first: it is the likeliest to be in the processor's cache. */
final class FreeList {
    private int[] rows;
    private int size;

    FreeList(int capacity) {
        this.rows = new int[capacity];
        fill(0, capacity);
    }

    boolean isEmpty() {
        return size == 0;
    }

    int take() {
        return rows[--size];
    }

    void give(int row) {
        rows[size++] = row;
    }

    /** Adds the rows from the old capacity to {@code larger}. */
    void grow(int larger) {
        int old = rows.length;
        rows = Arrays.copyOf(rows, larger);
        fill(old, larger);
    }

    private void fill(int from, int to) {
        for (int row = to - 1; row >= from; row--) {
            rows[size++] = row;
        }
    }
}
