package io.tokenbudget.integrationtests.usage;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.Reservation;
import io.tokenbudget.Usage;
import io.tokenbudget.core.BudgetReport;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.config.Settings;
import io.tokenbudget.core.memory.MemoryLedger;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.HoldRequest;
import io.tokenbudget.core.spi.Ledger;
import io.tokenbudget.core.spi.LedgerCounts;
import io.tokenbudget.core.spi.OverrunPolicy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A meter, and what is settled by it. Thread-safe. */
final class SettledUsage implements Ledger {
    private final Ledger memory =
            new MemoryLedger(InstantSource.system(), Settings.DEFAULT.remember(), Settings.DEFAULT.rememberAtMost());
    private final List<Usage> settled = new CopyOnWriteArrayList<>();
    private final List<String> notices = new CopyOnWriteArrayList<>();
    private final Metering metering =
            new Metering(TokenLimiters.builder().ledger(this).build(), notices::add);

    CallMeter meter() {
        return metering.meter(CallerSource.of(SettledUsage.class.getClassLoader()), RefusalFactory.OWN);
    }

    List<Usage> settled() {
        return settled;
    }

    List<String> notices() {
        return notices;
    }

    BudgetReport report() {
        return metering.report();
    }

    @Override
    public void settle(String id, Usage actual, OverrunPolicy overrun) {
        memory.settle(id, actual, overrun);
        settled.add(actual);
    }

    @Override
    public void settle(String id, long actualTokens, OverrunPolicy overrun) {
        throw new UnsupportedOperationException("no integration settles a total alone");
    }

    @Override
    public Reservation reserve(HoldRequest request) {
        return memory.reserve(request);
    }

    @Override
    public Reservation topUp(String id, long moreOutputTokens, HoldRequest.Admission admission) {
        return memory.topUp(id, moreOutputTokens, admission);
    }

    @Override
    public Reservation extend(String id, Duration more) {
        return memory.extend(id, more);
    }

    @Override
    public void refund(String id) {
        memory.refund(id);
    }

    @Override
    public List<BudgetStatus> status(BudgetRef budget) {
        return memory.status(budget);
    }

    @Override
    public List<BudgetStatus> status() {
        return memory.status();
    }

    @Override
    public LedgerCounts counts() {
        return memory.counts();
    }
}
