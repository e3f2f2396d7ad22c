package io.tokenbudget.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.RefusalReason;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.Usage;
import io.tokenbudget.core.http.Asker;
import io.tokenbudget.core.http.RefusalAnswer;
import io.tokenbudget.core.http.ReportDocument;
import io.tokenbudget.core.metering.CallKind;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.ModelCall;
import io.tokenbudget.core.metering.RefusalFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Limits in money")
class MoneyTest {
    /** A dollar for a million of input, ten for output: 1000 and 10,000 nano-USD a token. */
    private static final String YAML = """
            hold: 1m
            budgets:
              - scope: tenant
                limits: ["1M tokens per 1h", "$0.01 per calendar day"]
            prices:
              gpt: {input: 1, cached-input: 0.5, output: 10}
              painter: {image: 0.004}
            """;

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private DefaultTokenLimiter limiter(String yaml) {
        return TokenLimiters.builder().yaml(yaml).clock(() -> now).build();
    }

    private static ReservationRequest call(String model, long input, long output) {
        return ReservationRequest.builder()
                .context(BudgetContext.of("planner", "acme"))
                .model(model)
                .inputTokens(input)
                .outputTokens(output)
                .build();
    }

    private static BudgetStatus money(List<BudgetStatus> statuses) {
        return statuses.stream()
                .filter(status -> status.unit().equals("usd"))
                .findFirst()
                .orElseThrow();
    }

    private static LimitExceededException refusal(Runnable call) {
        LimitExceededException refusal = catchThrowableOfType(LimitExceededException.class, call::run);
        assertThat(refusal).as("a refusal").isNotNull();
        return refusal;
    }

    @Test
    void R1_oneHoldIsForTokensAndMoneyAndIsSettledWithWhatTheCallCost() {
        DefaultTokenLimiter limiter = limiter(YAML);

        String id = limiter.reserve(call("gpt", 1000, 500)).id();

        assertThat(money(limiter.status()).held()).isEqualTo(6_000_000);
        assertThat(limiter.remaining("tenant:acme")).isEqualTo(1_000_000 - 1500);
        limiter.settle(id, new Usage(1000, 800, 0, 100, 0));
        assertThat(money(limiter.status()).held()).isZero();
        assertThat(money(limiter.status()).used()).isEqualTo(200_000 + 400_000 + 1_000_000);
    }

    @Test
    void R1_R10_aRefusalSaysTheAmountsAndHoldsNothing() {
        DefaultTokenLimiter limiter = limiter(YAML);
        limiter.reserve(call("gpt", 1000, 500));

        LimitExceededException refusal = refusal(() -> limiter.reserve(call("gpt", 1000, 500)));

        assertThat(refusal)
                .hasMessage("tenant:acme: limit of $0.01 per calendar day reached: $0.006 requested, $0.004 remaining;"
                        + " try again in 1m");
        assertThat(refusal.requested()).isEqualTo(6_000_000);
        assertThat(limiter.remaining("tenant:acme")).isEqualTo(1_000_000 - 1500);
        assertThat(refusal(() -> limiter.reserve(call("gpt", 0, 1001))))
                .hasMessage(
                        "tenant:acme: $0.01001 requested, more than the whole limit of $0.01 per calendar day: it will"
                                + " never fit");
    }

    @Test
    void aRefundGivesTheMoneyBackAndATopUpHoldsMoreOfIt() {
        DefaultTokenLimiter limiter = limiter(YAML);
        String id = limiter.reserve(call("gpt", 1000, 100)).id();

        limiter.topUp(id, 700);
        assertThat(money(limiter.status()).held()).isEqualTo(9_000_000);
        assertThat(refusal(() -> limiter.topUp(id, 101)).reason()).isEqualTo(RefusalReason.NEVER_FITS);
        limiter.refund(id);

        assertThat(limiter.status().stream().mapToLong(BudgetStatus::held).sum())
                .isZero();
        assertThat(limiter.status().stream().mapToLong(BudgetStatus::used).sum())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"enforce", "observe", "ignore"})
    void aModelWithoutAPriceIsRefusedUnlessTheConfigurationSaysOtherwise(String how) {
        DefaultTokenLimiter limiter = limiter(
                switch (how) {
                    case "observe" -> "mode: observe\n" + YAML;
                    case "ignore" -> "unknown-price: ignore\n" + YAML;
                    default -> YAML;
                });
        if (how.equals("enforce")) {
            LimitExceededException refusal = refusal(() -> limiter.reserve(call("new", 10, 10)));
            assertThat(refusal)
                    .hasMessage(
                            "tenant:acme: limit of $0.01 per calendar day needs to know what a call costs, and no price"
                                    + " is known of model \"new\"; add it under prices, or set unknown-price: ignore");
            assertThat(refusal.reason()).isEqualTo(RefusalReason.UNKNOWN_PRICE);
            assertThat(refusal.retryAfter()).isNull();
            assertThat(RefusalAnswer.of(
                                    refusal,
                                    Asker.of(BudgetContext.builder()
                                            .tenant("acme")
                                            .build()))
                            .body())
                    .contains("unknown-price", "no price is known of model")
                    .doesNotContain("add it under prices");
            assertThat(limiter.status()).isEmpty();
        } else {
            limiter.settle(limiter.reserve(call("new", 10, 10)).id(), Usage.of(10, 10));
            assertThat(money(limiter.status()).used()).isZero();
            assertThat(limiter.remaining("tenant:acme")).isEqualTo(1_000_000 - 20);
        }
    }

    @Test
    void aCallThatNamesNoModelIsRefusedByALimitInMoney() {
        assertThat(refusal(() -> limiter(YAML).reserve("planner", "acme", 10)))
                .hasMessageContaining("no price is known of a call that names no model");
    }

    @Test
    void whereNoLimitIsInMoneyNothingNeedsAPrice() {
        DefaultTokenLimiter limiter = limiter("budgets: [{scope: tenant, limits: [\"1M tokens per 1h\"]}]");

        assertThat(limiter.reserve(call("new", 10, 10)).totalTokens()).isEqualTo(20);
    }

    @Test
    void R6_aLateSettleCostsWhatItWouldHaveCostInTime() {
        DefaultTokenLimiter limiter = limiter(YAML);
        String id = limiter.reserve(call("gpt", 1000, 500)).id();
        now = now.plus(Duration.ofMinutes(2));

        limiter.settle(id, Usage.of(1000, 100));

        assertThat(money(limiter.status()).used()).isEqualTo(2_000_000);
    }

    @Test
    void theReportWritesMoneyAsADecimalText() {
        DefaultTokenLimiter limiter = limiter(YAML);
        limiter.settle(limiter.reserve(call("gpt", 1000, 1)).id(), Usage.of(1000, 1));
        Metering metering = new Metering(limiter, notice -> {});

        assertThat(ReportDocument.of(metering.report()).get("budgets"))
                .asString()
                .contains("unit=usd, window=calendar day, limit=0.01, used=0.00101, held=0, remaining=0.00899");
    }

    @Test
    void picturesCostByThePiece() {
        List<String> notices = new ArrayList<>();
        Metering metering = new Metering(limiter(YAML), notices::add);
        CallMeter meter = metering.meter(CallerSource.of(null), RefusalFactory.OWN);

        Frame two = meter.open(new Object(), CallKind.IMAGE, () -> ModelCall.ofImages("painter", 20, 2));
        assertThat(money(metering.report().budgets()).held()).isEqualTo(8_000_000);
        two.succeed(null, 0, null);
        Frame third = meter.open(new Object(), CallKind.IMAGE, () -> ModelCall.ofImages("painter", 20, 1));

        assertThat(third.refusal()).isNotNull();
        assertThat(money(metering.report().budgets()).used()).isEqualTo(8_000_000);
        assertThat(notices).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void C5_aStreamThatPausesLongerThanItsHoldCostsAsMuchAsOneThatDoesNot(boolean pauses) {
        Metering metering = new Metering(limiter("""
                hold: 1m
                streaming: {chunk: 64}
                budgets: [{scope: global, limits: ["$1 per 24h"]}]
                prices:
                  gpt: {input: 1, output: 10, request: 0.001, above: {500: {input: 2, output: 20}}}
                """), notice -> {});
        CallMeter meter = metering.meter(CallerSource.of(null), RefusalFactory.OWN);
        Frame frame = meter.openStream(new Object(), () -> ModelCall.of("gpt", 1000, null));
        frame.detach();
        frame.emitted(100);
        if (pauses) {
            now = now.plus(Duration.ofMinutes(2));
            metering.report();
        }
        frame.emitted(200);

        frame.succeed(Usage.of(1000, 300), 0, null);

        assertThat(money(metering.report().budgets()).used())
                .as("1000 x $2 and 300 x $20 for a million, and $0.001 once")
                .isEqualTo(2_000_000 + 6_000_000 + 1_000_000);
    }
}
