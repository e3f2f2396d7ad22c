package io.tokenbudget.core.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.Usage;
import io.tokenbudget.core.TokenLimiters;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("C5 streams that flow on after a pause longer than their hold")
class ResumedStreamTest {
    private static final int INPUT = 100;
    private static final int LIMIT = 5000;
    private static final Duration PAUSE = Duration.ofSeconds(90);

    private final List<String> notices = new ArrayList<>();
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Metering metering = metering("enforce");
    private CallMeter meter = metering.meter(CallerSource.of(null), RefusalFactory.OWN);

    private Metering metering(String mode) {
        String yaml = """
                mode: %s
                hold: 1m
                streaming: {chunk: 64}
                budgets:
                  - scope: global
                    limits: ["%d tokens per 24h"]
                """.formatted(mode, LIMIT);
        return new Metering(TokenLimiters.builder().yaml(yaml).clock(() -> now).build(), notices::add);
    }

    private Frame stream(@Nullable Integer bound) {
        Frame frame = meter.openStream(new Object(), () -> ModelCall.of("gpt", INPUT, bound));
        frame.detach();
        return frame;
    }

    /** The pause, after which another call or the status page books what flowed before the stream itself does, or not. */
    private void pause(boolean noticed) {
        now = now.plus(PAUSE);
        if (noticed) {
            metering.report();
        }
    }

    private BudgetStatus tokens() {
        return metering.report().budgets().get(0);
    }

    private void assertAtRest(long used) {
        assertThat(tokens().used()).isEqualTo(used);
        assertThat(tokens().held()).isZero();
        assertThat(metering.openStreams()).isZero();
        assertThat(metering.report().reservations().held()).isZero();
        assertThat(notices).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"true, , 1", "false, , 1", "true, 100000, 1", "true, , 3", "false, , 3"})
    void R2_isCutWhenTheBudgetIsSpentHoweverOftenItPaused(boolean noticed, @Nullable Integer bound, int pauses) {
        // A bounded stream is held in full: what is spent before it pauses leaves no room for that much.
        Frame frame = stream(bound == null ? null : 2000);
        long flowed = 0;
        for (int i = 0; i < pauses; i++) {
            assertThat(frame.emitted(10)).isNull();
            flowed += 10;
            pause(noticed);
        }
        RuntimeException cut = null;
        while (cut == null && flowed < 3 * LIMIT) {
            if (bound != null && flowed == 500) {
                stream(null).succeed(Usage.of(LIMIT - 1000, 0), 0, null);
            }
            cut = frame.emitted(10);
            flowed += 10;
        }

        assertThat(cut).isInstanceOf(LimitExceededException.class);
        long others = bound == null ? 0 : LIMIT - 1000;
        assertThat(INPUT + flowed + others).isBetween((long) LIMIT, LIMIT + 10L);
        assertAtRest(INPUT + flowed + others);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isBookedAgainWhenItFallsSilentAgain(boolean noticed) {
        Frame frame = stream(null);
        frame.emitted(10);
        pause(noticed);
        for (int i = 0; i < 30; i++) {
            assertThat(frame.emitted(10)).isNull();
            assertThat(tokens().used()).isEqualTo(INPUT + 10);
            assertThat(tokens().held()).isBetween(10L * i + 10, 10L * i + 10 + 2 * 64);
        }
        pause(noticed);

        assertAtRest(INPUT + 310);
        frame.cancel();
        assertAtRest(INPUT + 310);
    }

    @ParameterizedTest
    @CsvSource({"true, 60, 160", "false, 60, 160", "true, 10, 110", "true, 40, 140"})
    void R4_isChargedWhatTheProviderReportsOnce(boolean noticed, long reportedOutput, long booked) {
        Frame frame = stream(null);
        frame.emitted(10);
        pause(noticed);
        frame.emitted(30);
        frame.succeed(Usage.of(INPUT, reportedOutput), 0, null);

        assertAtRest(booked);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void flowsOnInObserveModeAndIsBookedAllTheSame(boolean noticed) {
        metering = metering("observe");
        meter = metering.meter(CallerSource.of(null), RefusalFactory.OWN);
        Frame frame = stream(null);
        frame.emitted(10);
        pause(noticed);
        for (int i = 0; i < 1000; i++) {
            assertThat(frame.emitted(10)).isNull();
        }
        pause(noticed);

        assertAtRest(INPUT + 10_010);
    }

    @Test
    @SuppressWarnings("try")
    void isHeldOfItsOwnAfterThePauseThoughARepeatOfItsCallGoesOn() {
        try (TokenBudgets.Scope scope = TokenBudgets.open(
                BudgetContext.builder().runId("r").idempotencyKey("order-17").build())) {
            Frame first = stream(200);
            Frame repeat = stream(200);
            first.emitted(10);
            now = now.plusSeconds(40);
            repeat.emitted(10);
            now = now.plusSeconds(30);
            first.emitted(10);
            first.cancel();
            repeat.cancel();

            assertAtRest(2 * INPUT + 30);
        }
    }

    @Test
    void isBookedOnceThoughOthersBookItsExpiryWhileItsPiecesFlow() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        for (int run = 0; run < 300; run++) {
            metering = metering("observe");
            meter = metering.meter(CallerSource.of(null), RefusalFactory.OWN);
            Frame frame = stream(null);
            for (int pause = 0; pause < 5; pause++) {
                frame.emitted(10);
                now = now.plus(PAUSE);
                CyclicBarrier together = new CyclicBarrier(2);
                Future<?> noticed = other.submit(() -> {
                    together.await();
                    return metering.report();
                });
                together.await();
                frame.emitted(10);
                noticed.get();
                assertThat(tokens().used() + tokens().held())
                        .as("booked and held")
                        .isGreaterThanOrEqualTo(INPUT + 20L * pause + 20);
            }
            frame.succeed(Usage.of(INPUT, 100), 0, null);
            assertAtRest(INPUT + 100);
        }
        other.shutdown();
    }
}
