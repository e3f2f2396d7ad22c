package io.tokenbudget.core.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.Usage;
import io.tokenbudget.core.TokenLimiters;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("the call log hears how each round ended")
class CallLogTest {
    private static final String YAML = """
            budgets:
              - scope: tenant
                limits: ["2k tokens per 1h"]
            """;

    private final List<String> lines = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();
    private final CallMeter meter = meter(new CallLines(lines::add));

    private CallMeter meter(CallLog log) {
        return meter(YAML, log);
    }

    private CallMeter meter(String yaml, CallLog log) {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        Metering metering =
                new Metering(TokenLimiters.builder().yaml(yaml).clock(() -> now).build(), notices::add, log);
        return metering.meter(CallerSource.of(null), RefusalFactory.OWN);
    }

    private Frame open(@Nullable Integer maxOutput) {
        return meter.open(this, () -> ModelCall.of("gpt-4o-mini", 100, maxOutput));
    }

    @Test
    void namesEstimateAndActualOfAnAnsweredCall() {
        open(900).succeed(Usage.of(90, 30), 0, null);

        assertThat(lines)
                .containsExactly("admitted gpt-4o-mini (agent:default tenant:default) estimate 1,000, actual 120");
    }

    @Test
    void saysThatAnEstimateWasBookedWhereNoUsageCame() {
        open(900).succeed(null, 7, null);
        open(100).fail(Failure.TIMEOUT, 0);

        assertThat(lines)
                .containsExactly(
                        "admitted gpt-4o-mini (agent:default tenant:default) estimate 1,000, booked 107, no usage reported",
                        "admitted gpt-4o-mini (agent:default tenant:default) estimate 200, booked 100, no answer in time");
    }

    @Test
    void namesWhatIsRefundedAndWhatIsRefused() {
        open(900).fail(Failure.REJECTED, 0);
        open(1800).succeed(Usage.of(100, 1700), 0, null);
        assertThat(open(900).refusal()).isInstanceOf(LimitExceededException.class);

        assertThat(lines.get(0))
                .isEqualTo("refunded gpt-4o-mini (agent:default tenant:default) estimate 1,000,"
                        + " the provider failed or was not reached");
        assertThat(lines.get(2))
                .startsWith("refused  gpt-4o-mini (agent:default tenant:default) tenant:default: ")
                .contains("2k tokens per 1h", "try again in");
    }

    @Test
    void namesTheBudgetThatCutAStreamOnce() {
        Frame stream = meter.openStream(this, () -> ModelCall.of("gpt-4o-mini", 100, null));
        stream.detach();
        while (stream.emitted(10) == null) {}

        assertThat(lines)
                .singleElement()
                .asString()
                .startsWith(
                        "cut      gpt-4o-mini (agent:default tenant:default) estimate 356, booked 2,010, the answer was"
                                + " cut off after 1910 tokens: tenant:default has used up its 2k tokens per 1h; try again in 1h");
    }

    @Test
    void saysThatTheApplicationLeftAStream() {
        Frame stream = meter.openStream(this, () -> ModelCall.of("gpt-4o-mini", 100, null));
        stream.detach();
        stream.emitted(10);
        stream.cancel();

        assertThat(lines)
                .containsExactly("admitted gpt-4o-mini (agent:default tenant:default) estimate 356, booked 110,"
                        + " the application left");
    }

    @Test
    void saysHowMuchOfARefusedEstimateIsOutputByDefault() {
        open(900).succeed(Usage.of(100, 900), 0, null);
        assertThat(open(null).refusal()).hasMessageContaining("1124 tokens requested, 1000 remaining");
        assertThat(open(0).refusal()).isNotNull();
        assertThat(open(1024).refusal()).isNotNull();

        assertThat(lines.subList(1, 3))
                .allSatisfy(line -> assertThat(line)
                        .contains("; try again in ")
                        .endsWith("; 1,024 of the estimated tokens are output by default:"
                                + " the request sets no maximum"));
        assertThat(lines.get(3)).contains("; try again in ").doesNotContain("by default");
    }

    @ParameterizedTest
    @CsvSource({"150 tokens, true", "60 output tokens, true", "150 input tokens, false", "1 requests, false"})
    void speaksOfOutputByDefaultOnlyWhereTheLimitCountsOutput(String limit, boolean spoken) {
        CallMeter limited =
                meter("budgets: [{scope: tenant, limits: \"%s per 1h\"}]".formatted(limit), new CallLines(lines::add));
        limited.open(this, () -> ModelCall.of("m", 100, 50)).succeed(Usage.of(100, 50), 0, null);
        assertThat(limited.open(this, () -> ModelCall.of("m", 100, null)).refusal())
                .isNotNull();

        assertThat(lines.get(1).contains("are output by default")).isEqualTo(spoken);
    }

    @Test
    void aLogThatThrowsChangesNothingButOneNotice() {
        CallMeter broken = meter(new CallLog() {
            @Override
            public void answered(ReservationRequest estimate, Usage actual) {
                throw new IllegalStateException("disk full");
            }

            @Override
            public void kept(ReservationRequest estimate, Usage booked, @Nullable Failure failure) {
                throw new IllegalStateException("disk full");
            }

            @Override
            public void refunded(ReservationRequest estimate, Failure failure) {
                throw new IllegalStateException("disk full");
            }

            @Override
            public void refused(ReservationRequest estimate, long outputByDefault, LimitExceededException refusal) {
                throw new IllegalStateException("disk full");
            }
        });
        broken.open(this, () -> ModelCall.of("m", 100, 1900)).succeed(Usage.of(100, 1900), 0, null);
        Frame refused = broken.open(this, () -> ModelCall.of("m", 100, 1));

        assertThat(refused.refusal())
                .isInstanceOfSatisfying(
                        LimitExceededException.class,
                        refusal -> assertThat(refusal.retryAfter()).isGreaterThan(Duration.ZERO));
        assertThat(notices).singleElement().asString().contains("writing the call log", "disk full");
    }
}
