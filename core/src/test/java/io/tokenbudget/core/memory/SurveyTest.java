package io.tokenbudget.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.HoldRequest;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.OverrunPolicy;
import io.tokenbudget.core.spi.Scope;
import io.tokenbudget.core.spi.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("R3 what is reported of a budget is of one moment, and a report of many stops no call")
class SurveyTest {
    private static final Window HOUR = new Window.Rolling(Duration.ofHours(1));
    private static final List<Limit> LIMITS = List.of(
            new Limit(1_000_000, LimitUnit.TOKENS, HOUR, "1M tokens per 1h"),
            new Limit(1_000_000, LimitUnit.REQUESTS, HOUR, "1M requests per 1h"));
    private static final int BUDGETS = 2_000;

    /** The report reads the clock whenever it is about to look: then calls come in. */
    private Runnable meanwhile = () -> {};

    private final MemoryLedger ledger = new MemoryLedger(
            () -> {
                Runnable calls = meanwhile;
                meanwhile = () -> {};
                calls.run();
                meanwhile = calls;
                return Instant.parse("2026-01-01T00:00:00Z");
            },
            Duration.ofMinutes(10),
            1_000);

    private void call(int budget) {
        String id = ledger.reserve(new HoldRequest(
                        null,
                        List.of(new BudgetRef(new Scope("tenant", "t" + budget), LIMITS)),
                        0,
                        10,
                        Duration.ofMinutes(5),
                        HoldRequest.Admission.ENFORCE))
                .id();
        ledger.settle(id, 10, OverrunPolicy.CHARGE_ACTUAL);
    }

    private void callEach() {
        for (int budget = 0; budget < BUDGETS; budget++) {
            call(budget);
        }
    }

    @Test
    void callsComeInBetweenWhileManyBudgetsAreReportedAndEachBudgetAgreesWithItself() {
        callEach();
        int[] rounds = {1};
        meanwhile = () -> {
            rounds[0]++;
            callEach();
        };

        List<BudgetStatus> statuses = ledger.status();

        meanwhile = () -> {};
        assertThat(rounds[0])
                .as("rounds of calls made by the end of the report")
                .isGreaterThan(4);
        Map<String, Long> requests = new HashMap<>();
        statuses.stream()
                .filter(status -> status.unit().equals("requests"))
                .forEach(status -> requests.put(status.scope(), status.used()));
        assertThat(statuses).hasSize(2 * BUDGETS);
        assertThat(requests).hasSize(BUDGETS);
        assertThat(statuses)
                .filteredOn(status -> status.unit().equals("tokens"))
                .allMatch(status -> status.used() == 10 * requests.getOrDefault(status.scope(), -1L));
        assertThat(requests.values()).as("seen at different moments").contains(2L, (long) rounds[0]);
    }
}
