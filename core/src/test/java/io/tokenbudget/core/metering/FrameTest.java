package io.tokenbudget.core.metering;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.Usage;
import io.tokenbudget.core.BudgetReport;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.memory.MemoryLedger;
import io.tokenbudget.core.spi.Ledger;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Frames: C1 one layer charges, C2 rounds, C6 failures, C9 never in the way")
class FrameTest {
    private static final String YAML = """
            identity: {agent: ["literal:planner"]}
            budgets:
              - scope: agent
                limits: ["1000 tokens per 1h", "10 attempts per 1h"]
            """;

    private final List<String> notices = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Metering metering =
            metering(TokenLimiters.builder().yaml(YAML).clock(() -> now).build());
    private CallMeter meter = metering.meter(CallerSource.of(null), RefusalFactory.OWN);

    private Metering metering(DefaultTokenLimiter limiter) {
        return new Metering(limiter, notices::add);
    }

    private static final class Model {}

    private static final class Router {}

    private Frame open(Object target, @Nullable String model) {
        return meter.open(target, () -> ModelCall.of(model, 100, 100));
    }

    private BudgetStatus tokens() {
        return metering.report().budgets().stream()
                .filter(status -> status.unit().equals("tokens"))
                .findFirst()
                .orElseGet(() -> new BudgetStatus("", "", null, 0, 0, 0, 0, null, false));
    }

    private void assertAtRest() {
        assertThat(tokens().held()).isZero();
        assertThat(meter.current()).as("the stack of frames is empty").isNull();
        BudgetReport report = metering.report();
        assertThat(report.reservations().held()).isZero();
    }

    @Test
    void aCallIsHeldWhileItRunsAndBookedWithItsUsage() {
        Frame frame = open(new Model(), "gpt");
        assertThat(tokens().held()).isEqualTo(200);

        frame.succeed(Usage.of(90, 10), 0, "answer");
        frame.succeed(Usage.of(90, 10), 0, "answer");
        frame.fail(Failure.REJECTED, 0);

        assertThat(tokens().used()).isEqualTo(100);
        assertThat(metering.report().calls()).isEqualTo(new BudgetReport.Calls(1, 0, 0));
        assertThat(metering.report().estimates()).containsExactly(new BudgetReport.ModelEstimate("gpt", 1, 0.9, 0.111));
        assertAtRest();
    }

    @Test
    void C1_aDecoratorsInnerCallTakesTheHoldOverAndOnlyItIsCharged() {
        Frame outer = open(new Router(), "gpt");
        Frame inner = open(new Model(), "gpt");
        assertThat(tokens().held()).isEqualTo(200);
        inner.succeed(Usage.of(90, 10), 0, "answer");
        outer.succeed(Usage.of(90, 10), 0, "answer");

        assertThat(tokens().used()).isEqualTo(100);
        assertThat(metering.report().calls().metered()).isEqualTo(1);
        assertAtRest();
    }

    @Test
    void C1_aRouterThatFailsOverIsChargedForEachModelThatAnswers() {
        Frame outer = open(new Router(), null);
        open(new Model(), "first").fail(Failure.REJECTED, 0);
        open(new Model(), "second").succeed(Usage.of(90, 10), 0, "answer");
        outer.succeed(Usage.of(90, 10), 0, "answer");

        assertThat(tokens().used()).isEqualTo(100);
        assertThat(metering.report().reservations().settled()).isEqualTo(1);
        assertAtRest();
    }

    @Test
    void C1_whatADecoratorAnswersFromItsCacheCostsNothing() {
        Router cache = new Router();
        Frame miss = open(cache, "gpt");
        open(new Model(), "gpt").succeed(Usage.of(90, 10), 0, "answer");
        miss.succeed(Usage.of(90, 10), 0, "answer");

        open(cache, "gpt").succeed(Usage.of(90, 10), 0, "answer");

        assertThat(tokens().used()).isEqualTo(100);
        assertThat(metering.report().calls().metered()).isEqualTo(1);
        assertAtRest();
    }

    @Test
    void C1_anAnswerThatAnotherModelWasChargedForOnAnotherThreadIsNotChargedAgain() throws Exception {
        Object answer = new Object();
        Frame outer = open(new Router(), "gpt");
        Thread worker = new Thread(() -> open(new Model(), "gpt").succeed(Usage.of(90, 10), 0, answer));
        worker.start();
        worker.join();
        outer.succeed(Usage.of(90, 10), 0, answer);

        assertThat(tokens().used()).isEqualTo(100);
        assertThat(metering.report().calls().metered()).isEqualTo(1);
        assertAtRest();
    }

    @Test
    void C1_aModelThatReturnsTheSameAnswerObjectTwiceIsChargedTwice() {
        Model model = new Model();
        open(model, "gpt").succeed(Usage.of(90, 10), 0, "answer");
        open(model, "gpt").succeed(Usage.of(90, 10), 0, "answer");

        assertThat(tokens().used()).isEqualTo(200);
        assertAtRest();
    }

    @Test
    void C1_C2_aCallInsideAToolIsACallOfItsOwnAndEachRoundCountsOnce() {
        Frame outer = open(new Model(), "gpt");
        outer.endRound(Usage.of(10, 10), 0);
        outer.enterTools();
        open(new Model(), "gpt").succeed(Usage.of(30, 3), 0, "nested");
        outer.exitTools();
        assertThat(outer.startRound(() -> ModelCall.of("gpt", 50, 50))).isNull();
        assertThat(tokens().held()).isEqualTo(100);
        outer.succeed(Usage.of(40, 4), 0, "answer");

        assertThat(tokens().used()).isEqualTo(20 + 33 + 44);
        assertThat(metering.report().calls().metered()).isEqualTo(3);
        assertAtRest();
    }

    @Test
    void C2_aRefusedRoundIsAValueAndTheCallEndsWithNothingHeld() {
        Frame frame = open(new Model(), "gpt");
        frame.endRound(Usage.of(900, 50), 0);
        frame.enterTools();
        frame.exitTools();

        assertThat(frame.startRound(() -> ModelCall.of("gpt", 100, 100)))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("agent:planner");
        frame.fail(Failure.REJECTED, 0);

        assertThat(tokens().used()).isEqualTo(950);
        assertAtRest();
    }

    @Test
    void C8_everyRefusalIsFoundAgainByItsText() {
        Frame frame = open(new Model(), "gpt");
        frame.endRound(Usage.of(90, 10), 0);
        RuntimeException ofARound = frame.startRound(() -> ModelCall.of("gpt", 5000, 100));
        RuntimeException ofACall =
                meter.open(new Model(), () -> ModelCall.of("gpt", 6000, 100)).refusal();

        for (RuntimeException refusal : List.of(requireNonNull(ofARound), requireNonNull(ofACall))) {
            assertThat(meter.refusalIn("tool: " + refusal.getMessage())).isSameAs(refusal);
        }
        frame.fail(Failure.REJECTED, 0);
        assertAtRest();
    }

    @Test
    void C4_missingAndZeroUsageBookTheEstimatedInputAndTheCountedOutput() {
        open(new Model(), "gpt").succeed(null, 7, "a");
        open(new Model(), "gpt").succeed(Usage.of(0, 0), 7, "b");

        assertThat(tokens().used()).isEqualTo(214);
        assertThat(metering.report().calls().usageMissing()).isEqualTo(2);
        assertAtRest();
    }

    @Test
    void C6_eachKindOfFailureBooksWhatTheConfigurationSays() {
        open(new Model(), "gpt").fail(Failure.REJECTED, 5);
        assertThat(tokens().used()).isZero();
        open(new Model(), "gpt").fail(Failure.TIMEOUT, 5);
        assertThat(tokens().used()).isEqualTo(100);
        open(new Model(), "gpt").fail(Failure.CUT_STREAM, 5);
        assertThat(tokens().used()).isEqualTo(205);
        open(new Model(), "gpt").fail(Failure.UNUSABLE_ANSWER, 5);
        assertThat(tokens().used()).isEqualTo(305);
        assertAtRest();
    }

    @Test
    void aCallThatOutlastsItsHoldAndTheMemoryOfItIsBookedAllTheSame() {
        Frame frame = open(new Model(), "gpt");
        now = now.plus(Duration.ofHours(3));
        frame.succeed(Usage.of(90, 10), 0, "answer");

        assertThat(tokens().used()).isEqualTo(100);
        assertAtRest();
    }

    @Test
    void aRefusalIsTheExceptionThatTheSeamMakes() {
        meter = metering.meter(CallerSource.of(null), refusal -> new IllegalStateException(refusal.scope()));
        Frame refused = meter.open(new Model(), () -> ModelCall.of("gpt", 5000, 1));

        assertThat(refused.refusal()).isInstanceOf(IllegalStateException.class).hasMessage("agent:planner");
        assertAtRest();
    }

    @Test
    void C9_anEstimateThatThrowsLetsTheCallThroughUnmetered() {
        Frame frame = meter.open(new Model(), () -> {
            throw new NoSuchMethodError("gone in this version");
        });
        assertThat(frame.refusal()).isNull();
        frame.succeed(Usage.of(90, 10), 0, "answer");

        assertThat(metering.report().calls()).isEqualTo(new BudgetReport.Calls(0, 1, 0));
        assertThat(notices).hasSize(1).allSatisfy(line -> assertThat(line).contains("gone in this version"));
        assertAtRest();
    }

    @Test
    void C9_aLedgerThatThrowsAtAnyOperationNeverReachesTheApplication() {
        for (String broken : List.of("reserve", "settle", "refund")) {
            notices.clear();
            AtomicReference<String> breaks = new AtomicReference<>(broken);
            MemoryLedger real = new MemoryLedger(() -> now, Duration.ofMinutes(10), 100);
            Ledger faulty = (Ledger) Proxy.newProxyInstance(
                    Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals(breaks.get())) {
                            throw new IllegalStateException("store is down");
                        }
                        return method.invoke(real, arguments);
                    });
            metering = metering(TokenLimiters.builder()
                    .yaml(YAML)
                    .clock(() -> now)
                    .ledger(faulty)
                    .build());
            meter = metering.meter(CallerSource.of(null), RefusalFactory.OWN);

            open(new Model(), "gpt").succeed(Usage.of(90, 10), 0, "answer");
            open(new Model(), "gpt").fail(Failure.REJECTED, 0);
            now = now.plus(Duration.ofMinutes(6));

            assertThat(notices).as(broken).hasSize(1);
            assertAtRest();
        }
    }

    @Test
    void C9_aCallerOrARefusalSeamThatThrowsNeverReachesTheApplication() {
        CallerSource broken = (CallerSource) Proxy.newProxyInstance(
                CallerSource.class.getClassLoader(),
                new Class<?>[] {CallerSource.class},
                (proxy, method, arguments) -> {
                    throw new IllegalStateException("no context");
                });
        meter = metering.meter(broken, RefusalFactory.OWN);
        open(new Model(), "gpt").succeed(Usage.of(90, 10), 0, "answer");
        assertThat(metering.report().calls().unmetered()).isEqualTo(1);

        meter = metering.meter(CallerSource.of(null), refusal -> {
            throw new NoClassDefFoundError("its own exception");
        });
        assertThat(meter.open(new Model(), () -> ModelCall.of("gpt", 5000, 1)).refusal())
                .isInstanceOf(LimitExceededException.class);
        assertAtRest();
    }

    @Test
    void C1_aModelThatFellBackToAnotherOfItsClassIsChargedForItsOwnAnswersBeforeAndAfter() {
        Model primary = new Model();
        Model backup = new Model();
        Frame outer = open(primary, "gpt");
        open(backup, "gpt").succeed(Usage.of(50, 5), 0, new Object());
        outer.succeed(Usage.of(50, 5), 0, new Object());
        for (int i = 0; i < 4; i++) {
            open(i % 2 == 0 ? primary : backup, "gpt").succeed(Usage.of(50, 5), 0, new Object());
        }

        assertThat(tokens().used()).isEqualTo(5 * 55);
        assertAtRest();
    }

    @Test
    void C1_aClassThatOnceAnsweredFromASharedCacheIsChargedForItsOwnAnswers() {
        Model one = new Model();
        open(one, "gpt").succeed(Usage.of(50, 5), 0, "cached");
        open(new Model(), "gpt").succeed(Usage.of(50, 5), 0, "cached");
        assertThat(tokens().used()).isEqualTo(55);
        for (int i = 0; i < 3; i++) {
            open(one, "gpt").succeed(Usage.of(50, 5), 0, new Object());
        }

        assertThat(tokens().used()).isEqualTo(4 * 55);
        assertAtRest();
    }

    @Test
    void C1_aModelThatIsAskedAgainInsideItsOwnCallIsChargedForBoth() {
        Model model = new Model();
        Frame outer = open(model, "gpt");
        open(model, "gpt").succeed(Usage.of(10, 5), 0, new Object());
        outer.succeed(Usage.of(80, 20), 0, new Object());

        assertThat(tokens().used()).isEqualTo(115);
        assertAtRest();
    }

    @Test
    void C1_aSubclassThatCallsItsSuperClassIsChargedOnceAlsoIfItCopiesTheAnswer() {
        Object answer = new Object();
        for (Object copy : List.of(answer, new Object())) {
            Model model = new Model();
            Frame outer = open(model, "gpt");
            open(model, "gpt").succeed(Usage.of(10, 5), 0, copy == answer ? answer : new Object());
            outer.succeed(Usage.of(10, 5), 0, copy);
        }

        assertThat(tokens().used()).isEqualTo(30);
        assertAtRest();
    }

    @Test
    void C10_aTenantThatIsSetBetweenTwoLayersIsTheOneThatPays() {
        metering = metering(TokenLimiters.builder()
                .yaml("budgets: [{scope: tenant, limits: [\"1000 tokens per 1h\"]}]")
                .clock(() -> now)
                .build());
        meter = metering.meter(CallerSource.of(null), RefusalFactory.OWN);
        Model model = new Model();
        Frame outer = open(model, "gpt");
        try (TokenBudgets.Scope acme =
                TokenBudgets.open(BudgetContext.builder().tenant("acme").build())) {
            assertThat(acme).isNotNull();
            open(model, "gpt").succeed(Usage.of(90, 10), 0, "answer");
        }
        outer.succeed(Usage.of(90, 10), 0, "answer");

        assertThat(metering.report().budgets())
                .extracting(BudgetStatus::scope, BudgetStatus::used)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("tenant:acme", 100L));
        assertAtRest();
    }

    @Test
    void C1_aDecoratorOnAnotherThreadWhoseHoldIsForgottenIsNotChargedBesideItsModel() throws Exception {
        Object answer = new Object();
        Frame outer = open(new Router(), "gpt");
        now = now.plus(Duration.ofHours(2));
        Thread worker = new Thread(() -> open(new Model(), "gpt").succeed(Usage.of(90, 10), 0, answer));
        worker.start();
        worker.join();
        outer.succeed(Usage.of(90, 10), 0, answer);

        assertThat(tokens().used()).isEqualTo(100);
        assertAtRest();
    }

    @Test
    void C9_nothingThatIsThrownWhileAFrameOpensOrClosesLeavesItOnTheThread() {
        RuntimeException unprintable = new RuntimeException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new IllegalStateException("not even a text");
            }
        };
        Frame frame = meter.open(new Model(), () -> {
            throw unprintable;
        });
        frame.succeed(Usage.of(90, 10), 0, "answer");
        metering =
                new Metering(TokenLimiters.builder().yaml(YAML).clock(() -> now).build(), line -> {
                    throw new StackOverflowError();
                });
        meter = metering.meter(CallerSource.of(null), RefusalFactory.OWN);
        meter.open(new Model(), () -> {
                    throw unprintable;
                })
                .fail(Failure.REJECTED, 0);

        assertAtRest();
    }

    @Test
    void anEmbeddingInsideAChatIsACallOfItsOwnAndTakesNothingOver() {
        Frame chat = open(new Model(), "gpt");
        Frame embedding = meter.open(new Router(), CallKind.EMBEDDING, () -> ModelCall.withoutOutput("embed", 50));
        assertThat(tokens().held()).isEqualTo(250);
        embedding.succeed(Usage.of(40, 0), 0, "vector");
        chat.succeed(Usage.of(90, 10), 0, "answer");

        assertThat(tokens().used()).isEqualTo(140);
        assertAtRest();
    }

    @Test
    void whatReportsNoUsageAndAnswersNoTokensIsBookedWithItsInput() {
        meter.open(new Model(), CallKind.EMBEDDING, () -> ModelCall.withoutOutput("embed", 50))
                .succeed(null, 0, "vector");

        assertThat(tokens().used()).isEqualTo(50);
        assertThat(metering.report().calls().usageMissing()).isEqualTo(1);
        assertAtRest();
    }
}
