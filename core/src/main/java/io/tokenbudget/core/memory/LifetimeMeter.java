package io.tokenbudget.core.memory;

import io.tokenbudget.core.spi.Limit;

/** No window: what is used stays used. */
final class LifetimeMeter extends Meter {
    private long used;

    LifetimeMeter(Limit limit) {
        super(limit);
    }

    @Override
    long used(long now) {
        return used;
    }

    @Override
    void add(long now, long amount) {
        used = Amounts.add(used, amount);
    }

    @Override
    int steps(long now) {
        return 0;
    }

    @Override
    long stepAt(int i) {
        throw new IndexOutOfBoundsException(i);
    }

    @Override
    long stepAmount(int i) {
        throw new IndexOutOfBoundsException(i);
    }
}
