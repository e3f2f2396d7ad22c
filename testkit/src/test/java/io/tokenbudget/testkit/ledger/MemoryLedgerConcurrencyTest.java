package io.tokenbudget.testkit.ledger;

import io.tokenbudget.core.memory.MemoryLedger;
import io.tokenbudget.core.spi.Ledger;
import java.time.Duration;
import java.time.InstantSource;

class MemoryLedgerConcurrencyTest extends LedgerConcurrencyContract {
    @Override
    protected Ledger newLedger(InstantSource clock, Duration remember, int rememberAtMost) {
        return new MemoryLedger(clock, remember, rememberAtMost);
    }
}
