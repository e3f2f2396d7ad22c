package io.tokenbudget.core.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.Usage;
import io.tokenbudget.core.BudgetReport;
import io.tokenbudget.core.TokenLimiters;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("C9, R3, R7: calls at the very edge of the stack")
class StackEdgeTest {
    private static final String YAML = """
            hold: 1m
            remember: 1m
            streaming: {chunk: 8}
            budgets:
              - scope: agent
                limits: ["1000M tokens per 1h", "1000000 concurrent"]
            """;

    private final List<String> notices = Collections.synchronizedList(new ArrayList<>());
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Metering metering =
            new Metering(TokenLimiters.builder().yaml(YAML).clock(() -> now).build(), notices::add);
    private final CallMeter meter = metering.meter(CallerSource.of(null), RefusalFactory.OWN);
    private final Object model = new Object();
    private final AtomicLong ended = new AtomicLong();

    private void call(boolean streamed) {
        Frame frame = streamed
                ? meter.openStream(model, () -> ModelCall.of("gpt", 10, null))
                : meter.open(model, () -> ModelCall.of("gpt", 10, 90));
        frame.emitted(streamed ? 20 : 0);
        frame.succeed(Usage.of(10, 20), 0, new Object());
        ended.incrementAndGet();
    }

    private int down(int depth, boolean streamed) {
        if (depth > 0) {
            return down(depth - 1, streamed) + 1;
        }
        call(streamed);
        return 0;
    }

    /** Moves the edge by a few bytes: frames of another size. */
    private long shifted(int shift, int depth, boolean streamed, long a, long b, long c) {
        return shift > 0 ? shifted(shift - 1, depth, streamed, b, c, a) + a * b * c : down(depth, streamed);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leaveNoHoldThatNeverEnds(boolean streamed) throws Exception {
        for (int warm = 0; warm < 20_000; warm++) {
            call(streamed);
        }
        for (int size = 0; size < 12; size++) {
            Thread thread = new Thread(null, () -> recurse(streamed), "deep", (200 + 28L * size) * 1024);
            thread.start();
            thread.join();
        }
        now = now.plus(Duration.ofMinutes(2));
        call(streamed);
        now = now.plus(Duration.ofMinutes(2));
        BudgetReport report = metering.report();

        assertThat(report.reservations().held()).isZero();
        assertThat(report.budgets())
                .allSatisfy(budget ->
                        assertThat(budget.held()).as(budget.toString()).isZero());
        assertThat(metering.openStreams()).isZero();
        assertThat(report.budgets().get(0).used())
                .as("every call that ended is booked, but for those that passed unmetered")
                .isGreaterThanOrEqualTo(30 * (ended.get() - report.calls().unmetered()));
    }

    private void recurse(boolean streamed) {
        int works = 0;
        int fails = 20_000;
        while (fails - works > 1) {
            int middle = (works + fails) / 2;
            if (survives(0, middle, streamed)) {
                works = middle;
            } else {
                fails = middle;
            }
        }
        for (int depth = Math.max(1, works - 150); depth < works + 5; depth++) {
            for (int shift = 0; shift < 8; shift++) {
                survives(shift, depth - 2 * shift, streamed);
            }
        }
    }

    private boolean survives(int shift, int depth, boolean streamed) {
        try {
            shifted(shift, Math.max(1, depth), streamed, 1, 2, 3);
            return true;
        } catch (StackOverflowError edge) {
            return false;
        }
    }
}
