package io.tokenbudget.core.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.Usage;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.config.IdentitySource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("C7 retries: a named call has one hold while it is held, and the next attempt after that")
class AttemptsTest {
    private static final int HOLD_SECONDS = 60;

    private final List<String> notices = new ArrayList<>();
    private final List<String> ended = Collections.synchronizedList(new ArrayList<>());
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Metering metering = metering("1M");
    private final CallMeter meter = meter(metering);

    private Metering metering(String limit) {
        String yaml = """
                hold: %ds
                budgets:
                  - {scope: tenant, limits: ["%s tokens per 7d", "1M attempts per 7d"]}
                """.formatted(HOLD_SECONDS, limit);
        return new Metering(TokenLimiters.builder().yaml(yaml).clock(() -> now).build(), notices::add, new CallLog() {
            @Override
            public void answered(ReservationRequest estimate, Usage actual) {
                ended.add(String.valueOf(estimate.id()));
            }

            @Override
            public void kept(ReservationRequest estimate, Usage booked, @Nullable Failure failure) {
                ended.add(String.valueOf(estimate.id()));
            }

            @Override
            public void refunded(ReservationRequest estimate, Failure failure) {
                ended.add(String.valueOf(estimate.id()));
            }

            @Override
            public void refused(ReservationRequest estimate, long outputByDefault, LimitExceededException refusal) {
                ended.add("refused");
            }
        });
    }

    private static CallMeter meter(Metering metering) {
        return metering.meter(
                new CallerSource() {
                    @Override
                    public BudgetContext current() {
                        return TokenBudgets.current();
                    }

                    @Override
                    public @Nullable String value(IdentitySource source) {
                        return null;
                    }
                },
                RefusalFactory.OWN);
    }

    private Frame open(String tenant, @Nullable String key, String model, int input) {
        BudgetContext.Builder context = BudgetContext.builder().tenant(tenant);
        BudgetContext caller = (key == null ? context : context.idempotencyKey(key)).build();
        TokenBudgets.Scope scope = TokenBudgets.open(caller);
        try {
            Frame frame = meter.openStream(new Object(), () -> ModelCall.of(model, input, 10));
            frame.detach();
            return frame;
        } finally {
            scope.close();
        }
    }

    private long of(Metering of, ToLongFunction<BudgetStatus> field) {
        return of.report().budgets().stream()
                .filter(status -> status.unit().equals("tokens"))
                .mapToLong(field)
                .sum();
    }

    private void assertThatUsedAndHeldAre(long used, long held) {
        assertThat(of(metering, BudgetStatus::held)).as("held").isEqualTo(held);
        assertThat(of(metering, BudgetStatus::used)).as("used").isEqualTo(used);
        assertThat(notices).isEmpty();
    }

    /** Each key, and what the second attempt of the first would be called if keys were taken as they are. */
    @ParameterizedTest
    @CsvSource({
        "order-17, , order-17#2, ",
        "order-17#, , order-17##2, ",
        "order-17##, , order-17###2, ",
        "order-17#2, , order-17#2#2, ",
        "order-17, acme, order-17@{hash}, ",
        "order-17, acme, order-17@{hash}#2, ",
        "order-17@, acme, order-17@@{hash}, "
    })
    void aKeyIsNeverAnotherKeysAttempt(String key, @Nullable String tenant, String other, @Nullable String none) {
        Metering global = new Metering(TokenLimiters.builder().yaml("""
                                identity: {agent: ["mdc:agent"], tenant: ["mdc:tenant"]}
                                budgets: [{scope: global, limits: ["1M tokens per 7d"]}]
                                """).build(), notices::add);
        CallMeter ofGlobal = meter(global);
        String hash =
                Integer.toHexString(Map.of("tenant", String.valueOf(tenant)).hashCode());
        named(ofGlobal, key, tenant).succeed(Usage.of(10, 50), 0, null);
        Frame second = named(ofGlobal, other.replace("{hash}", hash), none);
        Frame repeat = named(ofGlobal, key, tenant);

        assertThat(of(global, BudgetStatus::held)).isEqualTo(2 * 100);
        second.fail(Failure.REJECTED, 0);
        assertThat(of(global, BudgetStatus::held)).isEqualTo(100);
        repeat.succeed(Usage.of(10, 50), 0, null);
        assertThat(of(global, BudgetStatus::used)).isEqualTo(2 * 60);
        assertThat(notices).isEmpty();
    }

    private static Frame named(CallMeter meter, String key, @Nullable String tenant) {
        BudgetContext.Builder caller = BudgetContext.builder().idempotencyKey(key);
        TokenBudgets.Scope scope = TokenBudgets.open((tenant == null ? caller : caller.tenant(tenant)).build());
        try {
            Frame frame = meter.open(new Object(), () -> ModelCall.of("gpt", 10, 90));
            frame.detach();
            return frame;
        } finally {
            scope.close();
        }
    }

    @Test
    void aRetryAfterEachFailureIsTheNextAttempt() {
        for (int attempt = 0; attempt < 2; attempt++) {
            open("a", "order-17", "gpt", 100).fail(Failure.REJECTED, 0);
        }
        open("a", "order-17", "gpt", 100).succeed(Usage.of(90, 5), 0, null);

        assertThatUsedAndHeldAre(95, 0);
        assertThat(ended).hasSize(3);
        String first = ended.get(0);
        assertThat(first).startsWith("order-17@");
        assertThat(ended).containsExactly(first, first + "#2", first + "#3");
        assertThat(metering.limiter
                        .reserve(ReservationRequest.builder()
                                .id(first + "#3")
                                .context(BudgetContext.builder().tenant("a").build())
                                .inputTokens(100)
                                .outputTokens(10)
                                .build())
                        .attempt())
                .isEqualTo(3);
    }

    @Test
    void aRepeatWhileTheFirstIsHeldHoldsNothingMoreAndEveryAnswerIsBooked() {
        Frame first = open("a", "k", "gpt", 100);
        Frame repeat = open("a", "k", "gpt", 100);
        assertThatUsedAndHeldAre(0, 110);

        first.succeed(Usage.of(100, 7), 0, null);
        assertThatUsedAndHeldAre(107, 110);
        repeat.succeed(Usage.of(100, 3), 0, null);
        assertThatUsedAndHeldAre(210, 0);
    }

    @Test
    void aFailureOfTheFirstLeavesTheHoldToItsRepeat() {
        Frame first = open("a", "k", "gpt", 100);
        Frame repeat = open("a", "k", "gpt", 100);
        first.fail(Failure.REJECTED, 0);
        assertThatUsedAndHeldAre(0, 110);
        repeat.succeed(Usage.of(100, 3), 0, null);
        assertThatUsedAndHeldAre(103, 0);
    }

    @Test
    void R12_namedCallsAreForgottenPastOneThatNeverEnds() {
        Attempts attempts = new Attempts(metering.limiter);
        ReservationRequest request = ReservationRequest.builder()
                .context(BudgetContext.builder().tenant("a").build())
                .inputTokens(1)
                .outputTokens(1)
                .build();
        Hold wanted = new Hold(request, 1, 1, Ceilings.NONE);
        Round hangs = attempts.hold("hangs", wanted);
        for (int call = 0; call < 30_000; call++) {
            Round round = attempts.hold("call-" + call, wanted);
            round.endHold(() -> metering.limiter.refund(round.reservationId()), () -> {});
        }

        assertThat(attempts.size()).isLessThanOrEqualTo(10_001);
        assertThat(attempts.hold("hangs", wanted).reservationId()).isEqualTo(hangs.reservationId());
    }

    @Test
    void aCallThatWasTakenForDeadLeavesTheHoldToItsRepeatOnce() {
        Instant begun = now;
        Frame first = open("a", "k", "gpt", 100);
        Frame repeat = open("a", "k", "gpt", 100);
        now = begun.plusSeconds(HOLD_SECONDS - 10);
        repeat.emitted(1);
        now = begun.plusSeconds(HOLD_SECONDS + 1);
        assertThatUsedAndHeldAre(100, 110);
        first.fail(Failure.REJECTED, 0);
        assertThatUsedAndHeldAre(100, 110);

        repeat.succeed(Usage.of(100, 3), 0, null);
        assertThatUsedAndHeldAre(203, 0);
    }

    @Test
    void aLargerCallThatIsRefusedLeavesWhatIsHeldToBeFoundAgain() {
        Metering tight = metering("150");
        CallMeter narrow = meter(tight);
        BudgetContext caller =
                BudgetContext.builder().tenant("a").idempotencyKey("k").build();
        TokenBudgets.Scope scope = TokenBudgets.open(caller);
        try {
            List<Frame> frames = new ArrayList<>();
            for (int input : new int[] {100, 120, 100}) {
                Frame frame = narrow.openStream(new Object(), () -> ModelCall.of("gpt", input, 10));
                frame.detach();
                frames.add(frame);
            }
            assertThat(frames.get(1).refusal()).isInstanceOf(LimitExceededException.class);
            assertThat(frames.get(2).refusal()).isNull();
            assertThat(of(tight, BudgetStatus::held)).isEqualTo(110);
            frames.get(0).succeed(Usage.of(20, 5), 0, null);
            frames.get(2).succeed(Usage.of(20, 5), 0, null);
            assertThat(of(tight, BudgetStatus::held)).isZero();
            assertThat(of(tight, BudgetStatus::used)).isEqualTo(50);
        } finally {
            scope.close();
        }
    }

    @Test
    void aRepeatFitsWhereTheBudgetHasRoomForOneCall() {
        Metering tight = metering("110");
        CallMeter narrow = meter(tight);
        BudgetContext caller =
                BudgetContext.builder().tenant("a").idempotencyKey("k").build();
        TokenBudgets.Scope scope = TokenBudgets.open(caller);
        try {
            Frame first = narrow.openStream(new Object(), () -> ModelCall.of("gpt", 100, 10));
            first.detach();
            Frame repeat = narrow.openStream(new Object(), () -> ModelCall.of("gpt", 100, 10));
            repeat.detach();
            assertThat(first.refusal()).isNull();
            assertThat(repeat.refusal()).isNull();
            Frame larger = narrow.openStream(new Object(), () -> ModelCall.of("gpt", 101, 10));
            larger.detach();
            assertThat(larger.refusal()).isInstanceOf(LimitExceededException.class);
        } finally {
            scope.close();
        }
    }

    /** Each is cut when more has flowed than is held, so one piece of each may be beyond the limit. */
    @ParameterizedTest(name = "{0} at once")
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void C5_streamsThatAreHeldByTheChunkFlowNoFurtherTogetherThanTheLimit(int repeats) {
        int limit = 3_000;
        Metering tight = metering(String.valueOf(limit));
        CallMeter narrow = meter(tight);
        Random random = new Random(repeats);
        List<Frame> flowing = new ArrayList<>();
        TokenBudgets.Scope scope = TokenBudgets.open(
                BudgetContext.builder().tenant("a").idempotencyKey("k").build());
        try {
            for (int repeat = 0; repeat < repeats; repeat++) {
                Frame frame = narrow.openStream(new Object(), () -> ModelCall.of("gpt", 10, null));
                frame.detach();
                assertThat(frame.refusal()).isNull();
                flowing.add(frame);
            }
        } finally {
            scope.close();
        }
        assertThat(of(tight, BudgetStatus::held)).isEqualTo(repeats * (10 + 256L));
        while (!flowing.isEmpty()) {
            int next = random.nextInt(flowing.size());
            if (flowing.get(next).emitted(1) != null) {
                flowing.remove(next);
            }
            assertThat(of(tight, status -> status.used() + status.held())).isLessThanOrEqualTo(limit + repeats);
        }

        assertThat(of(tight, BudgetStatus::used)).isBetween((long) limit, (long) limit + repeats);
        assertThat(of(tight, BudgetStatus::held)).isZero();
    }

    @Test
    void C5_whatAStreamHasAddedToItsHoldIsFreeWhenItEndsWhateverItsRepeatsDo() {
        Frame first = openUnbounded("k");
        Frame repeat = openUnbounded("k");
        for (int piece = 0; piece < 2_000; piece++) {
            first.emitted(1);
        }
        first.succeed(Usage.of(100, 2_000), 0, null);
        assertThatUsedAndHeldAre(2_100, 100 + 256);
        repeat.cancel();
        assertThatUsedAndHeldAre(2_200, 0);
    }

    private Frame openUnbounded(String key) {
        TokenBudgets.Scope scope = TokenBudgets.open(
                BudgetContext.builder().tenant("a").idempotencyKey(key).build());
        try {
            Frame frame = meter.openStream(new Object(), () -> ModelCall.of("gpt", 100, null));
            frame.detach();
            return frame;
        } finally {
            scope.close();
        }
    }

    @Test
    void aHoldThatHasExpiredIsNotJoined() {
        Frame first = open("a", "k", "gpt", 100);
        now = now.plusSeconds(HOLD_SECONDS);
        assertThatUsedAndHeldAre(100, 0);
        Frame retry = open("a", "k", "gpt", 100);
        assertThatUsedAndHeldAre(100, 110);

        first.succeed(Usage.of(100, 4), 0, null);
        retry.succeed(Usage.of(100, 6), 0, null);
        assertThatUsedAndHeldAre(210, 0);
        assertThat(ended.get(2)).endsWith("#2");
    }

    @Test
    void anotherPayloadAModelOrACallerWithTheSameKeyIsAnotherCallAndNoConflict() {
        List<Frame> frames = List.of(
                open("a", "k", "gpt", 100),
                open("a", "k", "gpt", 120),
                open("a", "k", "gpt-4o", 120),
                open("b", "k", "gpt", 100));
        assertThatUsedAndHeldAre(0, 110 + 130 + 130 + 110);
        frames.forEach(frame -> frame.succeed(Usage.of(100, 0), 0, null));
        assertThatUsedAndHeldAre(400, 0);
    }

    @Test
    void toolsOnOtherThreadsOfARunAreCallsOfTheirOwn() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        BudgetContext caller =
                BudgetContext.builder().tenant("a").idempotencyKey("k").build();
        List<Future<Frame>> frames = new ArrayList<>();
        TokenBudgets.Scope scope = TokenBudgets.open(caller);
        try {
            Run run = meter.openRun();
            ExecutorService executor = (ExecutorService) meter.executor(pool);
            for (int tool = 0; tool < 4; tool++) {
                frames.add(executor.submit(() -> {
                    Frame frame = meter.openStream(new Object(), () -> ModelCall.of("gpt", 100, 10));
                    frame.detach();
                    return frame;
                }));
            }
            for (Future<Frame> frame : frames) {
                assertThat(frame.get().refusal()).isNull();
            }
            meter.closeRun(run);
        } finally {
            scope.close();
            pool.shutdownNow();
        }
        assertThatUsedAndHeldAre(0, 4 * 110);
    }

    @Test
    void manyThreadsWithOneKeyLeaveNothingHeldAndLoseNoAnswer() throws Exception {
        int threads = 8;
        long each = 500;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<?>> all = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int number = thread;
            all.add(pool.submit(() -> {
                for (int i = 0; i < each; i++) {
                    Frame frame = open("a", "k" + i % 2, "gpt", 100);
                    if ((i + number) % 3 == 0) {
                        frame.fail(Failure.REJECTED, 0);
                    } else {
                        frame.succeed(Usage.of(100, 1), 0, null);
                    }
                }
            }));
        }
        for (Future<?> one : all) {
            one.get();
        }
        pool.shutdown();
        long refunded = 0;
        for (int number = 0; number < threads; number++) {
            for (int i = 0; i < each; i++) {
                refunded += (i + number) % 3 == 0 ? 1 : 0;
            }
        }
        assertThatUsedAndHeldAre((threads * each - refunded) * 101, 0);
    }

    /** What a key's latest hold should be. */
    private static final class Group {
        final int input;
        final String model;
        final Instant expires;
        int open;

        Group(int input, String model, Instant expires) {
            this.input = input;
            this.model = model;
            this.expires = expires;
        }
    }

    private static boolean expire(Group group) {
        group.open = 0;
        return true;
    }

    private record Open(Frame frame, Group group, int input) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void anyOrderOfCallsAndEndsEqualsTheModel(long seed) {
        int[] steps = new Random(seed).ints(400, 0, 10_000).toArray();
        Map<String, Group> latest = new HashMap<>();
        List<Group> groups = new ArrayList<>();
        List<Open> frames = new ArrayList<>();
        long used = 0;
        for (int step : steps) {
            int which = step / 10;
            switch (step % 10) {
                case 0, 1, 2, 3 -> {
                    String key = "m" + which % 2;
                    String model = which / 2 % 3 == 0 ? "gpt-4o" : "gpt";
                    int input = 100 + 20 * (which / 6 % 2);
                    Group group = latest.get(key);
                    if (group == null || group.open == 0 || input > group.input || !model.equals(group.model)) {
                        group = new Group(input, model, now.plusSeconds(HOLD_SECONDS));
                        groups.add(group);
                        latest.put(key, group);
                    }
                    group.open++;
                    frames.add(new Open(open("p", key, model, input), group, input));
                }
                case 4, 5, 6, 7 -> {
                    if (!frames.isEmpty()) {
                        Open open = frames.remove(which % frames.size());
                        boolean expired = !now.isBefore(open.group.expires);
                        if (step % 2 == 0) {
                            open.frame.succeed(Usage.of(open.input, 8), 0, null);
                            used += expired ? 8 : open.input + 8;
                        } else {
                            open.frame.fail(Failure.REJECTED, 0);
                        }
                        open.group.open -= expired ? 0 : 1;
                    }
                }
                default -> {
                    now = now.plusSeconds(which % 3 == 0 ? HOLD_SECONDS : 10);
                    for (Open open : frames) {
                        if (open.group.open > 0 && !now.isBefore(open.group.expires)) {
                            used += open.input; // a stream that is not heard of is booked with what has flowed
                        }
                    }
                    groups.removeIf(group -> !now.isBefore(group.expires) && expire(group));
                }
            }
            long held = groups.stream()
                    .filter(group -> group.open > 0)
                    .mapToLong(group -> group.input + 10)
                    .sum();
            assertThatUsedAndHeldAre(used, held);
        }
    }
}
