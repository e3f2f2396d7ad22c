package io.tokenbudget.testkit.ledger;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.core.memory.MemoryLedger;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.HoldRequest;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.OverrunPolicy;
import io.tokenbudget.core.spi.Scope;
import io.tokenbudget.core.spi.Window;
import io.tokenbudget.testkit.FakeClock;
import java.time.Duration;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whatever several threads do at once looks like something they could have done one after the other. */
@DisplayName("R1, R2, R4, R5: linearizable")
@Param(name = "id", gen = IntGen.class, conf = "1:3")
@Param(name = "amount", gen = IntGen.class, conf = "1:60")
public class MemoryLedgerLincheckTest {
    private static final Window HOUR = new Window.Rolling(Duration.ofHours(1));
    private static final List<BudgetRef> BUDGETS = List.of(
            new BudgetRef(new Scope("agent", "a"), List.of(new Limit(100, LimitUnit.TOKENS, HOUR, "100"))),
            new BudgetRef(Scope.GLOBAL, List.of(new Limit(2, LimitUnit.REQUESTS, HOUR, "2"))));

    private final MemoryLedger ledger = new MemoryLedger(FakeClock.atNewYear(), Duration.ofMinutes(10), 100);

    @Operation
    public String reserve(@Param(name = "id") int id, @Param(name = "amount") int amount) {
        try {
            return ledger.reserve(new HoldRequest(
                            "r-" + id, BUDGETS, 0, amount, Duration.ofMinutes(5), HoldRequest.Admission.ENFORCE))
                    .status()
                    .toString();
        } catch (LimitExceededException refused) {
            return "refused " + refused.remaining();
        } catch (IllegalArgumentException conflict) {
            return "conflict";
        }
    }

    @Operation
    public String settle(@Param(name = "id") int id, @Param(name = "amount") int amount) {
        try {
            ledger.settle("r-" + id, amount, OverrunPolicy.CHARGE_ACTUAL);
            return "ok";
        } catch (IllegalArgumentException unknown) {
            return "unknown";
        }
    }

    @Operation
    public String refund(@Param(name = "id") int id) {
        try {
            ledger.refund("r-" + id);
            return "ok";
        } catch (IllegalArgumentException unknown) {
            return "unknown";
        }
    }

    @Operation
    public String budgets() {
        return ledger.status().toString();
    }

    @Test
    void reserveSettleAndRefundAreLinearizable() {
        new StressOptions()
                .iterations(30)
                .invocationsPerIteration(1_000)
                .threads(3)
                .actorsPerThread(3)
                .check(getClass());
    }
}
