package io.tokenbudget.core.memory;

import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.OverrunPolicy;
import org.jspecify.annotations.Nullable;

/** Books the usage of one call on its accounts. Used once, under the ledger's lock. */
final class Booking {
    private final long reservedInput;
    private final long reservedOutput;
    private final long input;
    private final long output;
    private final OverrunPolicy overrun;
    private @Nullable RuntimeException fault;

    Booking(long reservedInput, long reservedOutput, long input, long output, OverrunPolicy overrun) {
        this.reservedInput = reservedInput;
        this.reservedOutput = reservedOutput;
        this.input = input;
        this.output = output;
        this.overrun = overrun;
    }

    void on(Account account, long now) {
        for (Meter meter : account.meters()) {
            LimitUnit unit = meter.limit.unit();
            long used = Amounts.used(unit, input, output);
            long reserved = Amounts.held(unit, reservedInput, reservedOutput);
            meter.counter.add(now, used <= reserved ? used : charge(unit, reserved, used));
        }
    }

    /** A policy that throws books what was used, so that the ledger stays whole, and is heard of at the end. */
    private long charge(LimitUnit unit, long reserved, long used) {
        try {
            return Math.max(0, overrun.charge(unit, reserved, used));
        } catch (RuntimeException thrown) {
            fault = thrown;
            return used;
        }
    }

    void rethrowFault() {
        if (fault != null) {
            throw fault;
        }
    }
}
