package io.tokenbudget.core.estimates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tokenbudget.core.BudgetReport.ModelEstimate;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("C3 estimate: the running ratio of actual to estimate")
class RunningRatioTest {
    private final ModelEstimates estimates = new ModelEstimates(() -> false);
    private final ModelTokens model = estimates.of("model");

    /** A call whose input the provider counts as {@code factor} times what we estimate. */
    private void call(long estimate, double factor) {
        model.observe(estimate, model.corrected(estimate), Math.round(estimate * factor));
    }

    private void calls(int count, long estimate, double factor) {
        for (int i = 0; i < count; i++) {
            call(estimate, factor);
        }
    }

    @Test
    void saysNothingBeforeFiveCalls() {
        calls(4, 1000, 1.5);
        assertThat(model.corrected(1000)).isEqualTo(1000);

        call(1000, 1.5);
        assertThat(model.corrected(1000)).isEqualTo(1500);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.6, 0.9, 1, 1.3, 1.9})
    void doesNotFeedOnItself(double factor) {
        calls(1000, 500, factor);

        assertThat(model.corrected(1_000) / 1_000.0).isCloseTo(factor, within(0.01));
    }

    @Test
    void R10_whatIsAddedToShortRequestsRefusesNoLongOneThatFits() {
        for (int i = 0; i < 50; i++) {
            model.observe(50, 50, 450);
        }

        assertThat(model.corrected(50)).isEqualTo(100);
        assertThat(model.corrected(55_000)).isEqualTo(55_000 + 4 * 400);
    }

    @Test
    void followsAModelThatChanges() {
        calls(500, 1000, 0.8);
        calls(150, 1000, 1.4);

        assertThat(model.corrected(1000) / 1000.0).isCloseTo(1.4, within(0.02));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.000_1, 1_000_000})
    void oneOddAnswerHardlyMatters(double odd) {
        calls(50, 1000, 1);
        model.observe(1000, 1000, Math.max(1, Math.round(1000 * odd)));

        assertThat(model.corrected(1000) / 1000.0).isCloseTo(1, within(0.05));
    }

    @Test
    void aHugeCallWeighsNoMoreThanAFewOthers() {
        calls(50, 1000, 1);
        call(100_000_000, 1.9);

        assertThat(model.corrected(1000) / 1000.0).isCloseTo(1, within(0.15));
    }

    @Test
    void neverMakesAHoldAbsurd() {
        calls(100, 1000, 50);
        assertThat(model.corrected(1000)).isEqualTo(2000);
        assertThat(model.corrected(Long.MAX_VALUE)).isPositive();

        calls(100, 100_000, 0.001);
        assertThat(model.corrected(1000)).isEqualTo(500);
        assertThat(model.corrected(1)).isEqualTo(1);
        assertThat(model.corrected(0)).isZero();
        assertThat(model.corrected(-5)).isZero();
    }

    @Test
    void ignoresCallsWithoutBothNumbers() {
        for (int i = 0; i < 10; i++) {
            model.observe(0, 0, 500);
            model.observe(1000, 1000, 0);
            model.observe(1000, 1000, -1);
        }
        assertThat(model.corrected(1000)).isEqualTo(1000);
        assertThat(estimates.report()).isEmpty();
    }

    @Test
    void reportsCallsRatioAndErrorOfEachModelThatAnswered() {
        estimates.of("silent");
        model.observe(100, 100, 90);
        model.observe(100, 120, 110);

        assertThat(estimates.report()).containsExactly(new ModelEstimate("model", 2, 1.0, 0.1));
    }

    @Test
    void remembersNothingOfAModelWithoutAName() {
        for (int i = 0; i < 10; i++) {
            estimates.of(null).observe(100, 100, 200);
            estimates.of(" ").observe(100, 100, 200);
        }
        assertThat(estimates.of(null).corrected(100)).isEqualTo(100);
        assertThat(estimates.report()).isEmpty();
    }

    @Test
    void R12_remembersNoMoreThanFiveHundredModels() {
        for (int i = 0; i < 2_000; i++) {
            estimates.of("model-" + i).observe(100, 100, 100);
        }
        assertThat(estimates.report()).hasSizeLessThanOrEqualTo(500);
        assertThat(estimates.of("model-1999").corrected(70)).isEqualTo(70);
    }

    @Test
    void holdsUnderThreads() throws InterruptedException {
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            Random random = new Random(t);
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 5_000; i++) {
                    call(1 + random.nextInt(10_000), 1.25);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(estimates.report().get(0).calls()).isEqualTo(20_000);
        assertThat(model.corrected(20_000) / 20_000.0).isCloseTo(1.25, within(0.01));
    }
}
