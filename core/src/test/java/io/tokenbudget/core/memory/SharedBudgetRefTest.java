package io.tokenbudget.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.HoldRequest;
import io.tokenbudget.core.spi.Ledger;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.OverrunPolicy;
import io.tokenbudget.core.spi.Scope;
import io.tokenbudget.core.spi.Window;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What one ledger notes of a budget never misleads another")
class SharedBudgetRefTest {
    private static final List<Limit> LIMITS = List.of(
            new Limit(1L << 40, LimitUnit.TOKENS, new Window.Rolling(Duration.ofHours(1)), "plenty of tokens per 1h"));
    private static final int CALLS = 50_000;

    @Test
    void twoLedgersUsedAtOnceThroughTheSameBudgetsEachKeepTheirOwnNumbers() throws Exception {
        List<BudgetRef> budgets = List.of(
                new BudgetRef(new Scope("agent", "a"), LIMITS), new BudgetRef(new Scope("tenant", "t"), LIMITS));
        List<Ledger> ledgers = List.of(ledger(), ledger());
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> done = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            Ledger ledger = ledgers.get(thread % 2);
            done.add(threads.submit(() -> {
                for (int i = 0; i < CALLS; i++) {
                    String id = ledger.reserve(new HoldRequest(
                                    null, budgets, 1, 1, Duration.ofMinutes(5), HoldRequest.Admission.ENFORCE))
                            .id();
                    ledger.settle(id, 2, OverrunPolicy.CHARGE_ACTUAL);
                }
            }));
        }
        for (Future<?> each : done) {
            each.get();
        }
        threads.shutdown();

        for (Ledger ledger : ledgers) {
            assertThat(ledger.status()).hasSize(2).allSatisfy(status -> {
                assertThat(status.used()).isEqualTo(4L * CALLS);
                assertThat(status.held()).isZero();
            });
        }
    }

    private static Ledger ledger() {
        return new MemoryLedger(InstantSource.system(), Duration.ofMinutes(10), 1_000);
    }
}
