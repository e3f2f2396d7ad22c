package io.tokenbudget.core.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.Usage;
import io.tokenbudget.core.BudgetReport.ModelEstimate;
import io.tokenbudget.core.TokenLimiters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("C3 estimate: what is held for a call")
class EstimatesTest {
    private final Metering metering = new Metering(
            TokenLimiters.builder()
                    .yaml("budgets: [{scope: global, limits: [\"1B tokens per 1h\"]}]\n"
                            + "estimates: {default-max-output: 700}")
                    .build(),
            line -> {
                throw new AssertionError(line);
            });
    private final CallMeter meter =
            metering.meter(CallerSource.of(EstimatesTest.class.getClassLoader()), RefusalFactory.OWN);

    private Frame open(ModelCall call) {
        return meter.open(new Object(), () -> call);
    }

    private long held(ModelCall call) {
        Frame frame = open(call);
        long held = metering.report().budgets().stream()
                .mapToLong(BudgetStatus::held)
                .sum();
        frame.fail(Failure.REJECTED, 0);
        return held;
    }

    @Test
    void theNextCallsAreHeldByWhatTheProviderReported() {
        ModelCall call = ModelCall.of("model", 1000, 10);
        for (int i = 0; i < 50; i++) {
            assertThat(held(call)).as("call %d", i).isEqualTo(i < 5 ? 1010 : 1310);
            open(call).succeed(Usage.of(1300, 5), 0, null);
        }
        assertThat(held(ModelCall.of("another", 1000, 10))).isEqualTo(1010);
        ModelEstimate report = metering.report().estimates().get(0);
        assertThat(report).isEqualTo(new ModelEstimate("model", 50, 1.3, 0.023));
    }

    @Test
    void aCallWithoutUsageIsBookedWithTheCorrectedEstimateAndTeachesNothing() {
        ModelCall call = ModelCall.of("model", 1000, 10);
        for (int i = 0; i < 5; i++) {
            open(call).succeed(Usage.of(1300, 0), 0, null);
        }
        long before = used();

        open(call).succeed(null, 4, null);

        assertThat(used() - before).isEqualTo(1304);
        assertThat(metering.report().estimates().get(0).calls()).isEqualTo(5);
    }

    @Test
    void outputIsCountedAsTheModelOfTheCallCounts() {
        String text = "Die Antwort fließt in einer anderen Sprache. ".repeat(20) + "而且还有中文".repeat(20);
        for (String model : new String[] {"gpt-4o", "claude-sonnet-4-5"}) {
            Frame frame = open(ModelCall.of(model, 10, 10));
            assertThat(frame.output().add(text))
                    .as(model)
                    .isEqualTo(meter.output(model).add(text));
            frame.succeed(null, 0, null);
        }
        assertThat(meter.output("gpt-4o").add(text))
                .isNotEqualTo(meter.output("claude-sonnet-4-5").add(text));
    }

    private long used() {
        return metering.report().budgets().stream()
                .mapToLong(BudgetStatus::used)
                .sum();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, -2, Integer.MIN_VALUE, 2_000_001, Integer.MAX_VALUE})
    void aBoundThatIsNoneCountsAsTheConfiguredOne(int bound) {
        assertThat(ModelCall.of("model", 100, bound).boundsOutput()).isFalse();
        assertThat(held(ModelCall.of("model", 100, bound))).isEqualTo(800);
    }

    @Test
    void thinkingIsAddedWhereNothingBoundsTheOutput() {
        assertThat(held(thinking(null, 4000))).isEqualTo(100 + 700 + 4000);
        assertThat(held(thinking(-1, 4000))).isEqualTo(100 + 700 + 4000);
        assertThat(held(thinking(5000, 4000))).isEqualTo(100 + 5000);
        assertThat(held(thinking(null, -1))).isEqualTo(100 + 700);
    }

    private static ModelCall thinking(@Nullable Integer bound, long tokens) {
        return new ModelCall("model", 100, bound, 1, tokens);
    }

    @Test
    void R14_overflowIsImpossibleWhateverARequestAsksFor() {
        ModelCall absurd = new ModelCall("model", 1000, 2_000_000, Integer.MAX_VALUE, Long.MAX_VALUE);

        assertThat(open(absurd).refusal())
                .isInstanceOfSatisfying(
                        LimitExceededException.class,
                        refusal -> assertThat(refusal.requested()).isEqualTo(2_000_000_000L + 1000));
        assertThat(new ModelCall("model", 1, null, -5).answers()).isZero();
    }
}
