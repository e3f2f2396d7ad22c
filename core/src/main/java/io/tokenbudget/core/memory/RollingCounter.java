package io.tokenbudget.core.memory;

import java.util.Arrays;

/**
 * A rolling window in sixtieths.
 *
 * <p>What is booked within one slice (a sixtieth of the window) leaves together, when the window has passed since the
 * last booking in it. So a booking stays at least as long as the window and at most one slice longer: the sum is never
 * below the true one, and a booking that is alone in its slice leaves at the exact moment. At most 61 slices are ever
 * in the window; the array grows from two as they are needed, because most budgets of many tenants need no more.
 *
 * <pre>
 *   times:   |  last booking of slice, rising  |        ring of capacity 2^n
 *   amounts: |  sum of the slice               |        head .. head+size
 * </pre>
 */
final class RollingCounter extends UsedCounter {
    static final int SLICES = 60;

    private final long window;
    private final long slice;
    private long[] times = new long[2];
    private long[] amounts = new long[2];
    private int head;
    private int size;
    private long sum;
    private long lastSliceEnd = Long.MIN_VALUE;

    RollingCounter(long windowMillis) {
        this.window = windowMillis;
        this.slice = (windowMillis + SLICES - 1) / SLICES;
    }

    @Override
    long used(long now) {
        if (size > 0 && times[head] <= now - window) {
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
        if (size > 0 && now < lastSliceEnd) {
            int last = (head + size - 1) & (times.length - 1);
            times[last] = now;
            amounts[last] = Amounts.add(amounts[last], amount);
            sum = Amounts.add(sum, amount);
            return;
        }
        if (size == times.length) {
            grow();
        }
        int at = (head + size++) & (times.length - 1);
        times[at] = now;
        amounts[at] = amount;
        sum = Amounts.add(sum, amount);
        lastSliceEnd = (now / slice + 1) * slice;
    }

    @Override
    int steps(long now) {
        used(now);
        return size;
    }

    @Override
    long stepAt(int i) {
        return Amounts.add(times[(head + i) & (times.length - 1)], window);
    }

    @Override
    long stepAmount(int i) {
        return amounts[(head + i) & (times.length - 1)];
    }

    private void dropOld(long now) {
        while (size > 0 && times[head] <= now - window) {
            head = (head + 1) & (times.length - 1);
            size--;
        }
        // Summed anew rather than subtracted: a sum that stopped at the largest long has no exact difference.
        long rest = 0;
        for (int i = 0; i < size; i++) {
            rest = Amounts.add(rest, stepAmount(i));
        }
        sum = rest;
    }

    private void grow() {
        int capacity = times.length;
        long[] newTimes = Arrays.copyOf(times, 2 * capacity);
        long[] newAmounts = Arrays.copyOf(amounts, 2 * capacity);
        // The part before the head wrapped round: it belongs behind the old end.
        System.arraycopy(times, 0, newTimes, capacity, head);
        System.arraycopy(amounts, 0, newAmounts, capacity, head);
        times = newTimes;
        amounts = newAmounts;
    }
}
