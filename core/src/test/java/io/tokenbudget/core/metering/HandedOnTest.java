package io.tokenbudget.core.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.Usage;
import io.tokenbudget.core.BudgetReport;
import io.tokenbudget.core.TokenLimiters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("C1 one layer charges: a decorator that calls the model on another thread")
class HandedOnTest {
    private static final String YAML = """
            budgets:
              - scope: global
                limits: ["1000 tokens per 1h"]
              - scope: project
                limits: ["600 tokens per 1h"]
            """;

    private final List<String> notices = new ArrayList<>();
    private final Metering metering =
            new Metering(TokenLimiters.builder().yaml(YAML).build(), notices::add);
    private final CallMeter meter = metering.meter(CallerSource.of(null), RefusalFactory.OWN);
    private final Object decorator = new Object() {};
    private final Object model = new Object() {};

    @Test
    void booksAnAnswerOnce() {
        Object answer = new Object();
        Frame outer = open(decorator);

        onAnotherThread(() -> open(model).succeed(Usage.of(100, 20), 0, answer));
        outer.succeed(Usage.of(100, 20), 0, answer);

        assertBooked(120);
    }

    @Test
    void booksAFailureOnce() {
        RuntimeException thrown = new IllegalStateException("no answer in time");
        Frame outer = open(decorator);

        onAnotherThread(() -> open(model).fail(Failure.TIMEOUT, 0, thrown));
        outer.fail(Failure.TIMEOUT, 0, new CompletionException(thrown));

        assertBooked(100);
    }

    @Test
    void booksTwoFailuresTwice() {
        open(decorator).fail(Failure.TIMEOUT, 0, new IllegalStateException("no answer in time"));
        open(model).fail(Failure.TIMEOUT, 0, new IllegalStateException("no answer in time"));

        assertThat(used()).isEqualTo(200);
    }

    @Test
    void booksEachFailureThatTheVirtualMachineThrowsFromStock() {
        RuntimeException shared = new FromStock();

        open(decorator).fail(Failure.UNUSABLE_ANSWER, 0, shared);
        open(model).fail(Failure.UNUSABLE_ANSWER, 0, shared);

        assertThat(used()).isEqualTo(200);
    }

    /** A model with a cache, or one that leaves easy questions to another model. */
    private static final class AtTimes {}

    @ParameterizedTest
    @CsvSource({"true, false", "false, false", "true, true", "false, true"})
    @SuppressWarnings("try")
    void R2_isHeldToItsLimitsIfItEverAnsweredByItselfWhateverItHandsOnToOthers(boolean ownFirst, boolean streamed) {
        Object target = new AtTimes();
        long passed = 0;
        for (int i = 0; i < 50; i++) {
            boolean own = i % 2 == 0 == ownFirst;
            BudgetContext caller = BudgetContext.builder()
                    .dimension("project", own ? "spends" : "other " + i)
                    .build();
            try (TokenBudgets.Scope scope = TokenBudgets.open(caller)) {
                Frame frame = streamed
                        ? meter.openStream(target, () -> ModelCall.of("gpt-4o", 100, 100))
                        : meter.open(target, () -> ModelCall.of("gpt-4o", 100, 100));
                frame.detach();
                if (frame.refusal() != null) {
                    continue;
                }
                Object answer = new Object();
                if (own) {
                    passed++;
                } else {
                    metering.settledAnswers.add(answer, model);
                }
                frame.succeed(Usage.of(100, 100), 0, answer);
            }
        }

        assertThat(passed).isEqualTo(3);
        assertThat(metering.report().reservations().held()).isZero();
        assertThat(metering.limiter.remaining("project:spends")).isZero();
    }

    @Test
    void R3_leavesNoHoldIfItIsCancelledWhileItsFirstOutputIsHeld() {
        Object handedOn = new Object();
        metering.settledAnswers.add(handedOn, model);
        Object target = new AtTimes();
        open(target).succeed(Usage.of(100, 20), 0, handedOn);
        List<Frame> opened = new ArrayList<>();
        // The estimate is asked for while the hold is made: here, another thread cancels.
        opened.add(meter.openStream(target, () -> {
            opened.get(0).cancel();
            return ModelCall.of("gpt-4o", 100, 200);
        }));
        Frame stream = opened.get(0);
        stream.detach();
        stream.emitted(10);

        assertThat(stream.hasEnded()).isTrue();
        assertThat(metering.report().reservations().held()).isZero();
        assertThat(metering.openStreams()).isZero();
        assertThat(used()).isZero();
    }

    @Test
    void countsARefusalFurtherInAsNoCall() {
        open(model).succeed(Usage.of(500, 250), 0, null);
        Frame outer = meter.open(decorator, () -> ModelCall.of("gpt-4o", 1, 1));

        RuntimeException refusal =
                CompletableFuture.supplyAsync(() -> open(model).refusal()).join();
        outer.fail(Failure.REJECTED, 0, new CompletionException(refusal));

        assertThat(used()).isEqualTo(750);
        assertThat(metering.report().calls().metered()).isOne();
    }

    private Frame open(Object target) {
        return meter.open(target, () -> ModelCall.of("gpt-4o", 100, 200));
    }

    private static void onAnotherThread(Runnable call) {
        CompletableFuture.runAsync(call).join();
    }

    private void assertBooked(long tokens) {
        BudgetReport report = metering.report();
        assertThat(used()).isEqualTo(tokens);
        assertThat(report.reservations().held()).isZero();
        assertThat(report.calls().metered()).isOne();
        assertThat(notices).isEmpty();
    }

    private long used() {
        return metering.report().budgets().get(0).used();
    }

    private static final class FromStock extends RuntimeException {
        private static final long serialVersionUID = 1L;

        FromStock() {
            super("null", null, false, false);
        }
    }
}
