package io.tokenbudget.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.UnknownReservationException;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.HoldRequest;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.OverrunPolicy;
import io.tokenbudget.core.spi.Scope;
import io.tokenbudget.core.spi.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("R12 bounded memory")
class MemoryBoundsTest {
    private static final List<Limit> LIMITS =
            List.of(new Limit(1_000, LimitUnit.TOKENS, new Window.Rolling(Duration.ofHours(1)), "1000 tokens per 1h"));

    private final AtomicLong millis =
            new AtomicLong(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());
    private final MemoryLedger ledger =
            new MemoryLedger(() -> Instant.ofEpochMilli(millis.get()), Duration.ofMinutes(10), 1_000);

    private String reserve(Scope scope, List<Limit> limits) {
        return ledger.reserve(new HoldRequest(
                        null,
                        List.of(new BudgetRef(scope, limits)),
                        0,
                        10,
                        Duration.ofMinutes(5),
                        HoldRequest.Admission.ENFORCE))
                .id();
    }

    private void settle(String id) {
        ledger.settle(id, 10, OverrunPolicy.CHARGE_ACTUAL);
    }

    private void pass(Duration time) {
        millis.addAndGet(time.toMillis());
    }

    @Test
    void theBudgetsOfAnEndedRunLeaveMemoryOnceNothingIsHeldOnThem() {
        List<Limit> lifetime = List.of(new Limit(1_000, LimitUnit.TOKENS, Window.Lifetime.INSTANCE, "1000 tokens"));
        Scope ofTenant = new Scope("tenant/run", Scope.join(List.of("tenant", "run"), List.of("a/run:r1", "r1")));
        Scope first = new Scope("run/agent", Scope.join(List.of("run", "agent"), List.of("r1", "planner")));
        settle(reserve(new Scope("run", "r1"), lifetime));
        settle(reserve(first, lifetime));
        String held = reserve(ofTenant, lifetime);
        settle(reserve(new Scope("run", "r2"), lifetime));
        settle(reserve(new Scope("tenant", "r1"), LIMITS));
        settle(reserve(new Scope("tenant/model", "t/model:x/run:r1"), LIMITS));
        assertThat(ledger.accountsInMemory()).isEqualTo(6);

        ledger.endRun("r1");
        assertThat(ledger.accountsInMemory()).isEqualTo(4);
        settle(held);
        pass(Duration.ofSeconds(2));
        ledger.counts();

        assertThat(ledger.accountsInMemory()).isEqualTo(3);
        assertThat(ledger.status())
                .extracting(BudgetStatus::scope)
                .containsExactlyInAnyOrder("run:r2", "tenant:r1", "tenant:t/model:x/run:r1");
        ledger.endRun("r2");
        ledger.endRun("unknown");
        assertThat(ledger.accountsInMemory()).isEqualTo(2);
    }

    @Test
    void aReportOfManyBudgetsNamesThoseOfRunsLast() {
        List<Limit> lifetime = List.of(new Limit(1_000, LimitUnit.TOKENS, Window.Lifetime.INSTANCE, "1000 tokens"));
        for (int i = 0; i < 100; i++) {
            reserve(new Scope("run", "r" + i), lifetime);
            reserve(new Scope("tenant", "t" + i), LIMITS);
        }

        assertThat(ledger.status(120)).hasSize(120);
        assertThat(ledger.status(120).subList(0, 100))
                .extracting(BudgetStatus::scope)
                .allMatch(scope -> scope.startsWith("tenant:"));
        assertThat(ledger.status(1000)).hasSameSizeAs(ledger.status()).hasSize(200);
    }

    @Test
    void budgetsAtRestLeaveMemoryWhileOthersCome() {
        for (int tenant = 0; tenant < 200_000; tenant++) {
            settle(reserve(new Scope("tenant", "t" + tenant), LIMITS));
            pass(Duration.ofMillis(360));
        }

        // An hour of tenants at ten a 3.6 seconds, and the slice they share.
        assertThat(ledger.accountsInMemory()).isLessThan(10_300);
    }

    @Test
    void refusedStrangersLeaveNothingBehind() {
        List<Limit> nothing =
                List.of(new Limit(0, LimitUnit.TOKENS, new Window.Rolling(Duration.ofHours(1)), "0 tokens per 1h"));
        for (int tenant = 0; tenant < 10_000; tenant++) {
            Scope stranger = new Scope("tenant", "t" + tenant);
            assertThatThrownBy(() -> reserve(stranger, nothing)).hasMessageContaining("will never fit");
            pass(Duration.ofMillis(1));
        }
        pass(Duration.ofMinutes(1));
        for (int i = 0; i < 2_000; i++) {
            pass(Duration.ofMillis(1));
            ledger.counts();
        }

        assertThat(ledger.accountsInMemory()).isZero();
        assertThat(ledger.status()).isEmpty();
    }

    @Test
    void endedReservationsAreForgottenAfterTheirTime() {
        String id = reserve(Scope.GLOBAL, LIMITS);
        settle(id);
        pass(Duration.ofMinutes(10).minusMillis(1));
        settle(id);
        pass(Duration.ofMillis(1));

        assertThatThrownBy(() -> settle(id))
                .isInstanceOf(UnknownReservationException.class)
                .hasMessageContaining(id);
        assertThat(ledger.reservationsInMemory()).isZero();
    }

    @Test
    void theOldestEndedReservationsAreForgottenWhenThereAreTooMany() {
        List<Limit> plenty =
                List.of(new Limit(1L << 40, LimitUnit.TOKENS, new Window.Rolling(Duration.ofHours(1)), "plenty"));
        String first = reserve(Scope.GLOBAL, plenty);
        settle(first);
        for (int i = 0; i < 5_000; i++) {
            settle(reserve(Scope.GLOBAL, plenty));
        }

        assertThat(ledger.reservationsInMemory()).isEqualTo(1_000);
        assertThatThrownBy(() -> settle(first)).isInstanceOf(UnknownReservationException.class);
    }

    @Test
    void aRunThatUsedSomethingLeavesMemoryADayAfterItsLastCall() {
        List<Limit> ceiling = List.of(new Limit(100, LimitUnit.TOKENS, Window.Lifetime.INSTANCE, "100 tokens"));
        Scope run = new Scope("run", "r-1");
        settle(reserve(run, ceiling));
        pass(Duration.ofHours(23));
        settle(reserve(run, ceiling));
        pass(Duration.ofHours(23));
        ledger.counts();
        assertThat(ledger.status().get(0).used()).isEqualTo(20);

        pass(Duration.ofHours(1));
        ledger.counts();

        assertThat(ledger.accountsInMemory()).isZero();
    }

    @Test
    void anIdOfAForgottenReservationNeverReachesTheOneThatUsesItsPlaceNow() {
        String old = reserve(Scope.GLOBAL, LIMITS);
        settle(old);
        pass(Duration.ofMinutes(11));
        String present = reserve(Scope.GLOBAL, LIMITS);

        assertThat(present).isNotEqualTo(old);
        assertThatThrownBy(() -> ledger.refund(old)).isInstanceOf(UnknownReservationException.class);
        assertThat(ledger.counts().held()).isEqualTo(1);
    }

    @Test
    void manyNewBudgetsInOneMillisecondDoNotPileUp() {
        List<Limit> second = List.of(
                new Limit(1_000, LimitUnit.TOKENS, new Window.Rolling(Duration.ofSeconds(1)), "1000 tokens per 1s"));
        for (int tenant = 0; tenant < 400_000; tenant++) {
            settle(reserve(new Scope("tenant", "t" + tenant), second));
            if (tenant % 40 == 0) {
                pass(Duration.ofMillis(1));
            }
        }

        assertThat(ledger.accountsInMemory()).as("40,000 a second").isLessThan(130_000);
    }

    @Test
    void aRunJoinedWithATenantLeavesMemoryLikeOneAlone() {
        List<Limit> ceiling = List.of(new Limit(100, LimitUnit.TOKENS, Window.Lifetime.INSTANCE, "100 tokens"));
        settle(reserve(new Scope("tenant/run", "acme/run:r-1"), ceiling));
        pass(Duration.ofDays(2));
        ledger.counts();

        assertThat(ledger.accountsInMemory()).isZero();
    }

    @Test
    void aBudgetThatACallIsBeingHeldOnStaysWhileOthersLeaveForTheNextOne() {
        for (int chosen = 0; chosen < 20; chosen++) {
            for (int tenant = 0; tenant < 20; tenant++) {
                ledger.refund(reserve(new Scope("tenant", "t" + tenant), LIMITS));
                pass(Duration.ofMillis(1));
            }
            pass(Duration.ofHours(2));
            List<BudgetRef> budgets = List.of(
                    new BudgetRef(new Scope("tenant", "t" + chosen), LIMITS),
                    new BudgetRef(new Scope("agent", "new" + chosen), LIMITS));

            ledger.reserve(new HoldRequest(null, budgets, 0, 10, Duration.ofMinutes(5), HoldRequest.Admission.ENFORCE));

            for (BudgetRef budget : budgets) {
                assertThat(ledger.status(budget))
                        .singleElement()
                        .satisfies(status -> assertThat(status.held()).isEqualTo(10));
            }
            pass(Duration.ofHours(2));
            assertThat(ledger.counts().held()).isZero();
        }
    }
}
