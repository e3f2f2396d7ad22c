package io.tokenbudget.core.memory;

import io.tokenbudget.core.spi.Limit;

/**
 * A rolling window in sixtieths.
 *
 * <p>What is booked within one slice (a sixtieth of the window) leaves together, when the window has passed since the
 * last booking in it. So a booking stays at least as long as the window and at most one slice longer: the sum is never
 * below the true one, and a booking that is alone in its slice leaves at the exact moment. At most 61 slices are ever
 * in the window; the ring grows from two as they are needed, because most budgets of many tenants need no more.
 *
 * <pre>
 *   ring:  time, amount, time, amount, ...    of the slices head .. head+size, times rising
 *          the last booking in a slice and its sum; a capacity of 2^n slices
 * </pre>
 */
final class RollingMeter extends Meter {
    static final int SLICES = 60;

    private final long window;
    private long[] ring = new long[4];
    private int head;
    private int size;
    private long sum;

    /** When the oldest slice leaves. */
    private long leavesAt = NEVER;

    private long lastSliceEnd = Long.MIN_VALUE;

    RollingMeter(Limit limit, long windowMillis) {
        super(limit);
        this.window = windowMillis;
    }

    @Override
    long used(long now) {
        if (now >= leavesAt) {
            dropOld(now);
        }
        return sum;
    }

    @Override
    void add(long now, long amount) {
        if (amount == 0) {
            return;
        }
        used(now);
        if (size == 0 || now >= lastSliceEnd) {
            addSlice(now);
        }
        int last = at(size - 1);
        ring[last] = now;
        ring[last + 1] = Amounts.add(ring[last + 1], amount);
        sum = Amounts.add(sum, amount);
        if (size == 1) {
            leavesAt = Amounts.add(now, window);
        }
    }

    private void addSlice(long now) {
        if (2 * size == ring.length) {
            grow();
        }
        ring[at(size++) + 1] = 0;
        long slice = (window + SLICES - 1) / SLICES;
        lastSliceEnd = (now / slice + 1) * slice;
    }

    @Override
    int steps(long now) {
        used(now);
        return size;
    }

    @Override
    long stepAt(int i) {
        return Amounts.add(ring[at(i)], window);
    }

    @Override
    long stepAmount(int i) {
        return ring[at(i) + 1];
    }

    /** Where the i-th slice from the oldest stands. */
    private int at(int i) {
        return 2 * (head + i) & (ring.length - 1);
    }

    private void dropOld(long now) {
        while (size > 0 && stepAt(0) <= now) {
            head++;
            size--;
        }
        head &= ring.length - 1;
        leavesAt = size == 0 ? NEVER : stepAt(0);
        // Summed anew rather than subtracted: a sum that stopped at the largest long has no exact difference.
        long rest = 0;
        for (int i = 0; i < size; i++) {
            rest = Amounts.add(rest, stepAmount(i));
        }
        sum = rest;
    }

    private void grow() {
        int first = at(0);
        long[] larger = new long[2 * ring.length];
        System.arraycopy(ring, first, larger, 0, ring.length - first);
        System.arraycopy(ring, 0, larger, ring.length - first, first);
        ring = larger;
        head = 0;
    }
}
