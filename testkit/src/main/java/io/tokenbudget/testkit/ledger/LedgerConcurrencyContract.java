package io.tokenbudget.testkit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.Reservation;
import io.tokenbudget.Usage;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.HoldRequest;
import io.tokenbudget.core.spi.Ledger;
import io.tokenbudget.core.spi.LedgerCounts;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.OverrunPolicy;
import io.tokenbudget.core.spi.Scope;
import io.tokenbudget.core.spi.Window;
import io.tokenbudget.testkit.FakeClock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The contract of a ledger under many threads: R2, R3 and R4 checked by every thread after every step. A store proves
 * itself with a subclass.
 */
public abstract class LedgerConcurrencyContract {
    private static final int THREADS = 8;
    private static final int STEPS = 4_000;
    private static final long INPUT = 10;
    private static final long OUTPUT = 10;
    private static final long LIMIT = 1_000;
    private static final Window HOUR = new Window.Rolling(Duration.ofHours(1));
    private static final List<Limit> LIMITS = List.of(
            new Limit(LIMIT, LimitUnit.TOKENS, HOUR, "1000 tokens per 1h"),
            new Limit(LIMIT, LimitUnit.CONCURRENT, Window.Lifetime.INSTANCE, "1000 concurrent"));
    private static final List<BudgetRef> BUDGETS = List.of(
            new BudgetRef(new Scope("agent", "a"), LIMITS),
            new BudgetRef(new Scope("agent", "b"), LIMITS),
            new BudgetRef(new Scope("tenant", "t"), LIMITS),
            new BudgetRef(Scope.GLOBAL, LIMITS));

    private final FakeClock clock = FakeClock.atNewYear();
    private final ConcurrentLinkedQueue<String> open = new ConcurrentLinkedQueue<>();
    private final AtomicLong granted = new AtomicLong();

    /** An empty ledger on {@code clock}. */
    protected abstract Ledger newLedger(InstantSource clock, Duration remember, int rememberAtMost);

    @Test
    void R2_R3_neverOverAndHeldIsTheSumOfHoldsAtEveryMoment() throws Exception {
        Ledger ledger = newLedger(clock, Duration.ofMinutes(10), 1_000_000);
        inParallel(random -> {
            reserveOrEnd(ledger, random);
            checkSnapshot(ledger.status(), true);
        });
        LedgerCounts counts = ledger.counts();
        assertThat(counts.held() + counts.settled() + counts.refunded()).isEqualTo(granted.get());
        assertThat(counts.held()).isEqualTo(open.size());
        assertThat(counts.refused()).as("the limits were tight").isPositive();
    }

    @Test
    void R3_R4_everyReservationEndsOnceWhileHoldsExpireAndEndsRace() throws Exception {
        Ledger ledger = newLedger(clock, Duration.ofDays(1), 1_000_000);
        inParallel(random -> {
            reserveOrEnd(ledger, random);
            String contested = open.peek();
            if (contested != null) {
                end(ledger, contested, random);
            }
            if (random.nextInt(50) == 0) {
                clock.advance(Duration.ofMinutes(1));
            }
            checkSnapshot(ledger.status(), false);
        });
        clock.advance(Duration.ofMinutes(6));
        LedgerCounts counts = ledger.counts();
        assertThat(counts.held()).isZero();
        assertThat(counts.settled() + counts.refunded() + counts.expired()).isEqualTo(granted.get());
        assertThat(counts.expired()).as("holds expired in the middle of it").isPositive();
        assertThat(ledger.status())
                .allSatisfy(status -> assertThat(status.held()).isZero());
    }

    @Test
    void R2_R4_usedEqualsWhatWasSettledToTheToken() throws Exception {
        Ledger ledger = newLedger(clock, Duration.ofMinutes(10), 1_000_000);
        BudgetRef endless = new BudgetRef(
                Scope.GLOBAL, List.of(new Limit(Limit.MAX_AMOUNT, LimitUnit.TOKENS, HOUR, "most tokens per 1h")));
        AtomicLong settledTokens = new AtomicLong();
        inParallel(random -> {
            Reservation hold = ledger.reserve(request(List.of(endless)));
            long more = random.nextInt(1, 50);
            ledger.topUp(hold.id(), more, HoldRequest.Admission.ENFORCE);
            if (random.nextBoolean()) {
                ledger.settle(hold.id(), Usage.of(7, more), OverrunPolicy.CHARGE_ACTUAL);
                settledTokens.addAndGet(7 + more);
            } else {
                ledger.refund(hold.id());
            }
            ledger.settle(hold.id(), Usage.of(1_000, 1_000), OverrunPolicy.CHARGE_ACTUAL);
        });
        BudgetStatus global = ledger.status(endless).get(0);
        assertThat(global.used()).isEqualTo(settledTokens.get());
        assertThat(global.held()).isZero();
    }

    @Test
    void R5_theSameIdReservedByAllThreadsAtOnceHoldsOnce() throws Exception {
        Ledger ledger = newLedger(clock, Duration.ofMinutes(10), 1_000_000);
        AtomicLong next = new AtomicLong();
        inParallel(random -> {
            String id = "call-" + next.getAndIncrement() / THREADS % 40;
            ledger.reserve(
                    new HoldRequest(id, BUDGETS, INPUT, OUTPUT, Duration.ofMinutes(5), HoldRequest.Admission.ENFORCE));
        });
        assertThat(ledger.counts().held()).isEqualTo(40);
        assertThat(ledger.status(BUDGETS.get(3)).get(0).held()).isEqualTo(40 * (INPUT + OUTPUT));
    }

    private void reserveOrEnd(Ledger ledger, SplittableRandom random) {
        String mine = random.nextInt(3) == 0 ? open.poll() : null;
        if (mine != null) {
            end(ledger, mine, random);
            return;
        }
        List<BudgetRef> budgets = new ArrayList<>(BUDGETS);
        budgets.remove(random.nextInt(3));
        try {
            open.add(ledger.reserve(request(budgets)).id());
            granted.incrementAndGet();
        } catch (LimitExceededException full) {
            String oldest = open.poll();
            if (oldest != null) {
                ledger.refund(oldest);
            }
        }
    }

    private static void end(Ledger ledger, String id, SplittableRandom random) {
        if (random.nextInt(10) == 0) {
            ledger.settle(id, Usage.of(0, 1), OverrunPolicy.CHARGE_ACTUAL);
        } else {
            ledger.refund(id);
        }
    }

    private static HoldRequest request(List<BudgetRef> budgets) {
        return new HoldRequest(null, budgets, INPUT, OUTPUT, Duration.ofMinutes(5), HoldRequest.Admission.ENFORCE);
    }

    private static void checkSnapshot(List<BudgetStatus> statuses, boolean noLateSettles) {
        Map<String, Map<String, BudgetStatus>> byScope = statuses.stream()
                .collect(Collectors.groupingBy(
                        BudgetStatus::scope, Collectors.toMap(BudgetStatus::unit, status -> status)));
        byScope.forEach((scope, units) -> {
            BudgetStatus tokens = units.get("tokens");
            BudgetStatus concurrent = units.get("concurrent");
            if (tokens == null || concurrent == null) {
                throw new AssertionError("a limit is missing: " + units);
            }
            assertThat(tokens.held())
                    .as("R3: %s holds what its reservations hold", scope)
                    .isEqualTo(concurrent.held() * (INPUT + OUTPUT));
            if (noLateSettles) {
                assertThat(tokens.used() + tokens.held()).as("R2: %s", scope).isLessThanOrEqualTo(LIMIT);
            }
        });
    }

    private interface Step {
        void run(SplittableRandom random);
    }

    private static void inParallel(Step step) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                SplittableRandom random = new SplittableRandom(i);
                running.add(threads.submit(() -> {
                    for (int n = 0; n < STEPS; n++) {
                        step.run(random);
                    }
                }));
            }
            for (Future<?> thread : running) {
                thread.get(2, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
