package io.tokenbudget.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.IdempotencyConflictException;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.RefusalReason;
import io.tokenbudget.Reservation;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.ReservationStatus;
import io.tokenbudget.UnknownReservationException;
import io.tokenbudget.Usage;
import io.tokenbudget.core.spi.OverrunPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The limiter: R1 to R14 as an application sees them")
class DefaultTokenLimiterTest {
    private final AtomicLong millis =
            new AtomicLong(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());

    private DefaultTokenLimiter limiter(String yaml) {
        return TokenLimiters.builder()
                .yaml(yaml)
                .clock(() -> Instant.ofEpochMilli(millis.get()))
                .build();
    }

    private static LimitExceededException refusal(Runnable call) {
        LimitExceededException refusal = catchThrowableOfType(LimitExceededException.class, call::run);
        assertThat(refusal).as("a refusal").isNotNull();
        return refusal;
    }

    @Test
    void R1_refusesOnTheTightestBudgetAndHoldsOnNone() {
        DefaultTokenLimiter limiter = limiter("""
                budgets:
                  - scope: agent
                    limits: ["1000 tokens per 1h"]
                  - scope: tenant
                    limits: ["100 tokens per 1m"]
                """);
        limiter.reserve("planner", "acme", 60);

        LimitExceededException refusal = refusal(() -> limiter.reserve("planner", "acme", 60));

        assertThat(refusal.scope()).isEqualTo("tenant:acme");
        assertThat(refusal.limit()).isEqualTo("100 tokens per 1m");
        assertThat(refusal.requested()).isEqualTo(60);
        assertThat(refusal.remaining()).isEqualTo(40);
        assertThat(refusal.retryAfter()).isEqualTo(Duration.ofMinutes(5));
        assertThat(refusal.reason()).isEqualTo(RefusalReason.LIMIT_REACHED);
        assertThat(refusal)
                .hasMessage("tenant:acme: limit of 100 tokens per 1m reached: 60 tokens requested, 40 remaining;"
                        + " try again in 5m");
        assertThat(limiter.remaining("agent:planner")).isEqualTo(940);
    }

    @Test
    void R4_R6_aSettleAfterExpiryBooksOnceAndARefundAfterItNothing() {
        DefaultTokenLimiter limiter = limiter("budgets: [{scope: agent, limits: [\"1000 tokens per 1h\"]}]");
        String id = limiter.reserve("planner", "acme", 300).id();
        millis.addAndGet(Duration.ofMinutes(5).toMillis());
        assertThat(limiter.remaining("agent:planner"))
                .as("R7: the hold has ended")
                .isEqualTo(1000);

        limiter.refund(id);
        limiter.settle(id, Usage.of(100, 50));
        limiter.settle(id, Usage.of(100, 50));

        assertThat(limiter.remaining("agent:planner")).isEqualTo(850);
    }

    @Test
    void R5_theSameIdHoldsOnceAndAnotherAmountIsAConflict() {
        DefaultTokenLimiter limiter = limiter("budgets: [{scope: agent, limits: [\"1000 tokens per 1h\"]}]");
        ReservationRequest.Builder request = ReservationRequest.builder()
                .id("call-1")
                .context(BudgetContext.builder().agent("planner").build())
                .outputTokens(300);
        Reservation first = limiter.reserve(request.build());

        assertThat(limiter.reserve(request.build())).isEqualTo(first);
        assertThat(limiter.remaining("agent:planner")).isEqualTo(700);
        assertThatThrownBy(() -> limiter.reserve(request.inputTokens(1).build()))
                .isInstanceOf(IdempotencyConflictException.class)
                .hasMessageContaining("call-1")
                .hasMessageContaining("other amounts or other scopes");
        limiter.refund("call-1");
        assertThat(limiter.reserve(request.inputTokens(0).build()).status()).isEqualTo(ReservationStatus.REFUNDED);
        assertThat(limiter.remaining("agent:planner")).isEqualTo(1000);
    }

    @Test
    void R9_theOverrunPolicyIsSwappedWhileHoldsAreOpen() {
        DefaultTokenLimiter limiter = limiter("budgets: [{scope: agent, limits: [\"1000 tokens per 1h\"]}]");
        String charged = limiter.reserve("a", "acme", 100).id();
        String capped = limiter.reserve("b", "acme", 100).id();

        limiter.settle(charged, 1500);
        limiter.overrunPolicy(OverrunPolicy.CAP_AT_ESTIMATE);
        limiter.settle(capped, 1500);

        assertThat(limiter.remaining("agent:a")).isZero();
        assertThat(limiter.status().get(0).used()).isEqualTo(1500);
        assertThat(refusal(() -> limiter.reserve("a", "acme", 1)).remaining()).isZero();
        assertThat(limiter.remaining("agent:b")).isEqualTo(900);
    }

    @Test
    void R9_aPolicyThatThrowsIsHeardOfAndTheLedgerStaysWhole() {
        DefaultTokenLimiter limiter = limiter("budgets: [{scope: agent, limits: [\"1000 tokens per 1h\"]}]");
        String id = limiter.reserve("a", "acme", 100).id();
        limiter.overrunPolicy((unit, reserved, actual) -> {
            throw new IllegalStateException("no policy today");
        });

        assertThatThrownBy(() -> limiter.settle(id, 150)).hasMessage("no policy today");

        assertThat(limiter.remaining("agent:a")).isEqualTo(850);
        assertThat(limiter.status())
                .allSatisfy(status -> assertThat(status.held()).isZero());
    }

    @Test
    void R4_R9_aPolicyThatFailsLeavesNothingToBookTwice() {
        DefaultTokenLimiter limiter = limiter("""
                budgets:
                  - {scope: agent, limits: ["1000 tokens per 1h"]}
                  - {scope: tenant, limits: ["1000 tokens per 1h"]}
                """);
        limiter.overrunPolicy((unit, reserved, actual) -> {
            throw new AssertionError("a policy with a bug");
        });
        String id = limiter.reserve("planner", "acme", 10).id();

        assertThatThrownBy(() -> limiter.settle(id, 100)).isInstanceOf(AssertionError.class);
        limiter.settle(id, 100);

        assertThat(limiter.status()).hasSize(2).allSatisfy(status -> {
            assertThat(status.used()).isEqualTo(100);
            assertThat(status.held()).isZero();
        });
    }

    @Test
    void R11_theOwnHoldOfATopUpMakesNoRoomForIt() {
        DefaultTokenLimiter limiter = limiter("""
                hold: 1m
                budgets: [{scope: agent, limits: ["100 tokens per 1h"]}]
                """);
        Reservation growing = limiter.reserve("planner", "acme", 60);
        LimitExceededException never = refusal(() -> limiter.topUp(growing.id(), 41));
        assertThat(never.reason()).isEqualTo(RefusalReason.NEVER_FITS);
        assertThat(never.requested()).isEqualTo(101);
        limiter.reserve("planner", "acme", 20);
        limiter.extend(growing.id(), Duration.ofMinutes(10));

        LimitExceededException refusal = refusal(() -> limiter.topUp(growing.id(), 40));

        assertThat(refusal.retryAfter()).isEqualTo(Duration.ofMinutes(1));
        millis.addAndGet(Duration.ofMinutes(1).toMillis());
        assertThat(limiter.topUp(growing.id(), 40).outputTokens()).isEqualTo(100);
    }

    @Test
    void R9_aPolicyThatCallsTheLedgerFailsInsteadOfWaitingForItself() {
        DefaultTokenLimiter limiter = limiter("budgets: [{scope: agent, limits: [\"1000 tokens per 1h\"]}]");
        String id = limiter.reserve("a", "acme", 100).id();
        limiter.overrunPolicy((unit, reserved, actual) -> limiter.remaining("agent:a"));

        assertThatThrownBy(() -> limiter.settle(id, 150)).hasMessageContaining("must not call the ledger");

        assertThat(limiter.remaining("agent:a")).isEqualTo(850);
    }

    @Test
    void R10_whatIsLargerThanAWholeLimitIsRefusedForEver() {
        DefaultTokenLimiter limiter = limiter("budgets: [{scope: agent, limits: [\"1000 tokens per 1h\"]}]");

        LimitExceededException refusal = refusal(() -> limiter.reserve("a", "acme", 1001));

        assertThat(refusal.reason()).isEqualTo(RefusalReason.NEVER_FITS);
        assertThat(refusal.retryAfter()).isNull();
        assertThat(refusal)
                .hasMessage("agent:a: 1001 tokens requested, more than the whole limit of 1000 tokens per 1h: it will"
                        + " never fit");
        assertThatThrownBy(() -> limiter.reserve("a", "acme", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> limiter.reserve("a", "acme", -5)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aMessageSpeaksOfOneTokenAndOfOneCall() {
        DefaultTokenLimiter limiter = limiter("""
                budgets:
                  - {scope: agent, limits: ["10 tokens per 1h"]}
                  - {scope: "tenant:initech", limits: ["0 requests per 1h"]}
                  - {scope: "tenant:acme", limits: ["1 concurrent"]}
                """);
        limiter.reserve("a", "acme", 10);

        assertThat(refusal(() -> limiter.reserve("a", "initech", 1)))
                .hasMessage("tenant:initech: one call is more than the whole limit of 0 requests per 1h: it will never"
                        + " fit");
        assertThat(refusal(() -> limiter.reserve("b", "acme", 1)))
                .hasMessage("tenant:acme: limit of 1 concurrent reached; try again in 5m");
        assertThat(refusal(() -> limiter.reserve("a", "globex", 1)))
                .hasMessageStartingWith("agent:a: limit of 10 tokens per 1h reached: 1 token requested, 0 remaining;");
    }

    @Test
    void R13_aRollingWindowNeverAdmitsMoreThanItsLimitInAnyWindow() {
        DefaultTokenLimiter limiter = limiter("budgets: [{scope: agent, limits: [\"100 tokens per 1m\"]}]");
        millis.addAndGet(59_900);
        limiter.settle(limiter.reserve("a", "acme", 100).id(), 100);
        millis.addAndGet(200);
        LimitExceededException refusal = refusal(() -> limiter.reserve("a", "acme", 1));

        assertThat(refusal.retryAfter()).isEqualTo(Duration.ofMillis(59_800));
        millis.addAndGet(59_799);
        assertThat(limiter.remaining("agent:a")).isZero();
        millis.addAndGet(1);
        assertThat(limiter.remaining("agent:a")).isEqualTo(100);
    }

    @Test
    void R13_aCalendarDayEndsAtMidnightOfItsZone() {
        DefaultTokenLimiter limiter = limiter("""
                zone: America/New_York
                budgets: [{scope: agent, limits: ["100 tokens per calendar day"]}]
                """);
        limiter.settle(limiter.reserve("a", "acme", 100).id(), 100);

        assertThat(refusal(() -> limiter.reserve("a", "acme", 100)).retryAfter())
                .isEqualTo(Duration.ofHours(5));
    }

    @Test
    void R14_noSumWrapsWhateverIsAskedOrReported() {
        DefaultTokenLimiter limiter = limiter("""
                budgets:
                  - scope: agent
                    limits: ["9007199254740991 tokens per 1h"]
                  - scope: tenant
                    limits: [unlimited]
                """);
        assertThat(refusal(() -> limiter.reserve("a", "acme", Long.MAX_VALUE)).reason())
                .isEqualTo(RefusalReason.NEVER_FITS);
        String id = limiter.reserve("a", "acme", 9007199254740991L).id();
        assertThat(refusal(() -> limiter.reserve("a", "acme", 1)).remaining()).isZero();

        limiter.settle(id, Usage.of(Long.MAX_VALUE - 1, 1));
        limiter.charge(
                ReservationRequest.builder()
                        .outputTokens(1)
                        .context(BudgetContext.builder()
                                .agent("a")
                                .tenant("acme")
                                .build())
                        .build(),
                HoldTerms.NONE,
                Usage.of(Long.MAX_VALUE, 0));

        assertThat(limiter.remaining("agent:a")).isZero();
        assertThat(refusal(() -> limiter.reserve("a", "acme", 1)).remaining()).isZero();
        assertThat(limiter.status())
                .allSatisfy(status -> assertThat(status.used()).isPositive());
    }

    @Test
    void attemptsAreNeverGivenBackAndRequestsAre() {
        DefaultTokenLimiter limiter =
                limiter("budgets: [{scope: agent, limits: [\"2 attempts per 1h\", \"1 request per 1h\"]}]");
        limiter.refund(limiter.reserve("a", "acme", 10).id());
        limiter.refund(limiter.reserve("a", "acme", 10).id());

        LimitExceededException refusal = refusal(() -> limiter.reserve("a", "acme", 10));

        assertThat(refusal.limit()).isEqualTo("2 attempts per 1h");
        assertThat(refusal).hasMessage("agent:a: limit of 2 attempts per 1h reached; try again in 1h");
        assertThat(refusal.retryAfter()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void statusListsNamedScopesAndThoseInUseButNobodyAtRest() {
        DefaultTokenLimiter limiter = limiter("""
                budgets:
                  - scope: agent
                    limits: ["100 tokens per 1h"]
                  - scope: agent:planner
                    limits: ["3 concurrent"]
                  - scope: global
                    limits: ["unlimited"]
                """);
        limiter.refund(limiter.reserve("idle", "acme", 10).id());
        limiter.reserve("busy", "acme", 10);

        assertThat(limiter.status())
                .extracting(BudgetStatus::scope, BudgetStatus::unit, BudgetStatus::held, BudgetStatus::unlimited)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple("agent:planner", "concurrent", 0L, false),
                        org.assertj.core.groups.Tuple.tuple("agent:busy", "tokens", 10L, false),
                        org.assertj.core.groups.Tuple.tuple("global", "tokens", 10L, true));
    }

    @Test
    void observeModeCountsAndRefusesNothing() {
        DefaultTokenLimiter limiter = limiter("""
                mode: observe
                budgets: [{scope: agent, limits: ["10 tokens per 1h"]}]
                """);
        limiter.settle(limiter.reserve("a", "acme", 500).id(), 400);

        assertThat(limiter.remaining("agent:a")).isZero();
        assertThat(limiter.status().get(0).used()).isEqualTo(400);
        limiter.reserve("a", "acme", 1);
        assertThat(limiter.report(new BudgetReport.Calls(0, 0, 0), List.of())
                        .reservations()
                        .refused())
                .as("what would have been refused is not counted as refused")
                .isZero();
    }

    @Test
    void aFilesNameIsNoConfiguration() {
        assertThatThrownBy(() -> limiter("conf/budgets.yaml"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the text of a configuration, not the name of a file: \"conf/budgets.yaml\"");
        assertThat(limiter("identity: {tenant: [\"literal:a.yaml\"]}")).isNotNull();
    }

    @Test
    void unknownIdsAndScopesAreNamed() {
        DefaultTokenLimiter limiter = limiter("budgets: [{scope: agent, limits: [\"10 tokens per 1h\"]}]");

        List<Runnable> onUnknown = List.of(
                () -> limiter.settle("r-0", 1),
                () -> limiter.refund("r-0"),
                () -> limiter.topUp("r-0", 1),
                () -> limiter.extend("r-0", Duration.ofMinutes(1)));
        assertThat(onUnknown)
                .allSatisfy(call -> assertThatThrownBy(call::run)
                        .isInstanceOf(UnknownReservationException.class)
                        .hasMessageContaining("\"r-0\""));
        assertThatThrownBy(() -> limiter.remaining("planner"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("\"planner\" names no single budget: write a dimension and its value, such as"
                        + " \"agent:planner\" or \"tenant:acme\"");
        assertThat(limiter.remaining("user:joe")).as("no limit applies").isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aMessageHasNoLineBreaksAndNoPagesOfWhatAClientSent() {
        DefaultTokenLimiter limiter = limiter("budgets: [{scope: tenant, limits: [\"10 tokens per 1h\"]}]");
        String forged = "acme\n[token-budget] all is well " + "x".repeat(100_000);

        String message =
                String.valueOf(refusal(() -> limiter.reserve("a", forged, 11)).getMessage());

        assertThat(message).hasLineCount(1).hasSizeLessThan(500).startsWith("tenant:acme?");
    }

    @Test
    void aConflictTellsNothingAboutAnotherTenantsReservation() {
        DefaultTokenLimiter limiter = limiter("budgets: [{scope: tenant, limits: [\"1000 tokens per 1h\"]}]");
        ReservationRequest.Builder request = ReservationRequest.builder().id("x");
        limiter.reserve(request.context(BudgetContext.builder().tenant("acme").build())
                .inputTokens(123)
                .build());

        assertThatThrownBy(() -> limiter.reserve(
                        request.context(BudgetContext.builder().tenant("globex").build())
                                .build()))
                .isInstanceOf(IdempotencyConflictException.class)
                .message()
                .doesNotContain("acme");
    }
}
