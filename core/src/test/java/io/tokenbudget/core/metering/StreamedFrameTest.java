package io.tokenbudget.core.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.RefusalReason;
import io.tokenbudget.Usage;
import io.tokenbudget.core.TokenLimiters;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("C5 streams: held bit by bit, cut when no more can be held, booked once")
class StreamedFrameTest {
    private static final int INPUT = 100;
    private static final int CHUNK = 64;

    private final List<String> notices = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Metering metering = metering(1000, "auto");
    private CallMeter meter = metering.meter(CallerSource.of(null), RefusalFactory.OWN);

    private Metering metering(int limit, String reserve) {
        return metering(limit, reserve, "");
    }

    private Metering metering(int limit, String reserve, String more) {
        String yaml = """
                hold: 1m
                streaming: {reserve: %s, chunk: %d}
                budgets:
                  - scope: agent
                    limits: ["%d tokens per 1h"]
                %s
                """.formatted(reserve, CHUNK, limit, more);
        return new Metering(TokenLimiters.builder().yaml(yaml).clock(() -> now).build(), notices::add);
    }

    private void use(Metering other) {
        metering = other;
        meter = metering.meter(CallerSource.of(null), RefusalFactory.OWN);
    }

    private Frame stream(@Nullable Integer bound) {
        Frame frame = meter.openStream(new Object(), () -> ModelCall.of("gpt", INPUT, bound));
        frame.detach();
        assertThat(meter.current()).isNull();
        return frame;
    }

    private BudgetStatus tokens() {
        return metering.report().budgets().stream()
                .findFirst()
                .orElseGet(() -> new BudgetStatus("", "", null, 0, 0, 0, 0, null, false));
    }

    private void assertAtRest(long used) {
        assertThat(metering.report().budgets())
                .allSatisfy(status -> assertThat(status.held()).isZero());
        assertThat(tokens().used()).isEqualTo(used);
        assertThat(metering.openStreams()).isZero();
        assertThat(notices).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "auto, , 164",
        "auto, 500, 600",
        "chunked, , 164",
        "chunked, 500, 164",
        "chunked, 20, 120",
        "full, 500, 600"
    })
    void anUnboundedStreamHoldsAChunkAndABoundedOneAllOfItUnlessToldOtherwise(
            String reserve, @Nullable Integer bound, long held) {
        use(metering(10_000, reserve));
        Frame frame = stream(bound);

        assertThat(tokens().held()).isEqualTo(held);
        frame.succeed(Usage.of(INPUT, 5), 0, null);
        assertAtRest(105);
    }

    @Test
    void whatIsHeldGrowsAheadOfWhatFlowsAndNeverBeyondTheBound() {
        use(metering(10_000, "chunked"));
        Frame frame = stream(300);
        long before = 0;
        for (int flowed = 1; flowed <= 320; flowed++) {
            assertThat(frame.emitted(1)).isNull();
            long held = tokens().held() - INPUT;
            assertThat(held)
                    .isGreaterThanOrEqualTo(Math.max(before, Math.min(flowed, 300)))
                    .isLessThanOrEqualTo(300);
            before = held;
        }
        frame.succeed(null, 0, null);
        assertAtRest(INPUT + 320);
    }

    @Test
    void aStreamIsCutWhenMoreHasFlowedThanCanBeHeldAndWhatFlowedIsBooked() {
        use(metering(400, "auto"));
        Frame frame = stream(null);
        int flowed = 0;
        RuntimeException cut = null;
        while (cut == null) {
            cut = frame.emitted(10);
            flowed += 10;
        }

        assertThat(cut).isInstanceOf(LimitExceededException.class);
        assertThat(flowed).isBetween(INPUT, 300 + 10);
        assertThat(frame.emitted(10)).isNull();
        frame.succeed(Usage.of(INPUT, 1000), 0, null);
        frame.cancel();
        assertAtRest(INPUT + flowed);
    }

    @ParameterizedTest
    @CsvSource({"300, 1", "224, 1", "250, 1", "300, 7"})
    void R2_aStreamIsNotCutBeforeTheWholeBudgetHasFlowed(int limit, int piece) {
        use(metering(limit, "auto"));
        Frame frame = stream(null);
        int flowed = 0;
        while (frame.emitted(piece) == null) {
            flowed += piece;
        }

        assertThat(flowed).isGreaterThan(limit - INPUT - piece);
        assertThat(metering.report().reservations().refused())
                .as("ahead of need, and at the end")
                .isLessThanOrEqualTo(2);
        assertAtRest(INPUT + flowed + piece);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            value = {
                "400 tokens per 1h, 1h, PT1H",
                "400 tokens per calendar day, 20h, PT20H",
                "400 tokens, null, null",
            })
    void R10_aStreamThatAloneIsMoreThanTheLimitIsToldWhenANewCallFits(
            String limit, @Nullable String wait, @Nullable Duration retryAfter) {
        now = Instant.parse("2026-01-01T04:00:00Z");
        String yaml = "{streaming: {chunk: 64}, budgets: [{scope: agent, limits: %s}]}".formatted(limit);
        use(new Metering(TokenLimiters.builder().yaml(yaml).clock(() -> now).build(), notices::add));
        Frame frame = stream(null);
        RuntimeException cut = null;
        while (cut == null) {
            cut = frame.emitted(10);
        }

        LimitExceededException refusal = (LimitExceededException) cut;
        assertThat(refusal)
                .hasMessage("the answer was cut off after 310 tokens: agent:default has used up its " + limit + "; "
                        + (wait == null ? "waiting will not help" : "try again in " + wait));
        assertThat(refusal.requested()).isEqualTo(410);
        assertThat(refusal.retryAfter()).isEqualTo(retryAfter);
        if (retryAfter == null) {
            assertThat(refusal.reason()).isEqualTo(RefusalReason.NEVER_FITS);
        } else {
            assertThat(refusal.reason()).isEqualTo(RefusalReason.LIMIT_REACHED);
            now = now.plus(retryAfter).minusMillis(1);
            assertThat(stream(null).refusal()).isNotNull();
            now = now.plusMillis(1);
            assertThat(stream(null).refusal()).isNull();
        }
    }

    @Test
    void C1_theBoundOfADecoratorIsNotThatOfTheModelInside() {
        use(metering(2000, "auto"));
        Frame outer = meter.openStream(new Object(), () -> ModelCall.of("gpt", INPUT, 500));
        Frame inner = meter.openStream(new Object(), () -> ModelCall.of("gpt", INPUT, null));
        inner.detach();
        outer.detach();
        int flowed = 0;
        RuntimeException cut = null;
        while (cut == null && flowed < 10_000) {
            cut = inner.emitted(100);
            flowed += 100;
        }

        assertThat(flowed).isEqualTo(2000);
        outer.cancel();
        assertAtRest(INPUT + 2000);
    }

    @Test
    void aBoundedStreamThatIsHeldInFullIsNeverCutHoweverItIsCounted() {
        use(metering(400, "auto"));
        Frame frame = stream(300);

        for (int i = 0; i < 50; i++) {
            assertThat(frame.emitted(10)).isNull();
        }
        frame.succeed(Usage.of(INPUT, 290), 0, null);
        assertAtRest(390);
    }

    @Test
    void R4_theFirstEndOfAStreamWinsWhateverFollows() throws Exception {
        Random random = new Random(7);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        long used = 0;
        for (int run = 0; run < 300; run++) {
            use(metering(100_000, "auto"));
            Frame frame = stream(null);
            List<Runnable> ends = new ArrayList<>(List.of(
                    () -> frame.succeed(Usage.of(INPUT, 50), 0, null),
                    frame::cancel,
                    () -> frame.fail(Failure.REJECTED, 0),
                    () -> frame.emitted(30)));
            java.util.Collections.shuffle(ends, random);
            CountDownLatch start = new CountDownLatch(1);
            List<Future<?>> ended = new ArrayList<>();
            for (Runnable end : ends) {
                ended.add(threads.submit(() -> {
                    start.await();
                    end.run();
                    return null;
                }));
            }
            start.countDown();
            for (Future<?> end : ended) {
                end.get();
            }
            used = tokens().used();
            assertThat(used).isIn(0L, 100L, 130L, 150L);
            assertAtRest(used);
        }
        threads.shutdown();
    }

    @Test
    void whatFlowedOfACancelledStreamIsBookedAtEveryPointAndGrows() {
        long before = -1;
        for (int chunks = 0; chunks < 40; chunks++) {
            use(metering(10_000, "auto"));
            Frame frame = stream(null);
            for (int i = 0; i < chunks; i++) {
                frame.emitted(7);
            }
            long most = tokens().held();
            frame.cancel();
            long booked = tokens().used();
            assertThat(booked).isGreaterThan(before).isLessThanOrEqualTo(most);
            before = booked;
            assertAtRest(INPUT + 7L * chunks);
        }
    }

    @Test
    void theLargestUsageThatAStreamReportsIsBookedAndNeverASum() {
        Frame frame = stream(null);
        frame.emitted(5);
        frame.reported(Usage.of(90, 1));
        frame.reported(Usage.of(90, 20));
        frame.reported(Usage.of(90, 20));
        frame.reported(Usage.of(0, 0));
        frame.succeed(null, 0, null);

        assertAtRest(110);
        assertThat(metering.report().calls().usageMissing()).isZero();
    }

    @Test
    void aCutStreamKeepsTheInputThatWasReportedAndTheOutputThatFlowed() {
        Frame frame = stream(null);
        frame.reported(new Usage(80, 30, 10, 1, 0));
        frame.emitted(40);
        frame.fail(Failure.CUT_STREAM, 0);

        assertAtRest(120);
    }

    @ParameterizedTest
    @EnumSource
    void C6_whatHasFlowedIsBookedWhateverEndsTheStream(Failure failure) {
        Frame frame = stream(null);
        frame.emitted(40);
        frame.fail(failure, 0);

        assertAtRest(INPUT + 40);
    }

    @Test
    void C6_keepEstimateKeepsTheWholeHoldOfAStreamAndNeverLessThanFlowed() {
        use(metering(100_000, "auto", "on-failure: {cut-stream: keep-estimate}"));
        Frame frame = stream(null);
        for (int i = 0; i < 50; i++) {
            frame.emitted(10);
        }
        long held = tokens().held();
        frame.fail(Failure.CUT_STREAM, 0);

        assertAtRest(held);
        assertThat(held).isGreaterThan(INPUT + 500);
    }

    @ParameterizedTest
    @CsvSource({"1, 290", "40, 290", "46, 136", "100, 190", "1000, 1090"})
    void C4_theUsageOfAStreamIsBelievedUnlessItCanOnlyBeThatOfItsBeginning(int reported, long booked) {
        use(metering(10_000, "auto"));
        Frame frame = stream(null);
        frame.emitted(200);
        frame.succeed(Usage.of(90, reported), 200, null);

        assertAtRest(booked);
        assertThat(metering.report().calls().usageMissing()).isEqualTo(booked == 290 ? 1 : 0);
    }

    @Test
    void C4_usageThatWasReportedBeforeTheAnswerFlowedIsNotThatOfTheAnswer() {
        Frame frame = stream(null);
        frame.reported(Usage.of(90, 1));
        frame.emitted(200);
        frame.succeed(null, 200, null);

        assertAtRest(90 + 200);
        assertThat(metering.report().calls().usageMissing()).isEqualTo(1);
    }

    @Test
    void R2_whatFlowedOfDeadStreamsIsBookedBeforeTheRoomOfTheirHoldsIsGivenAway() {
        use(metering(200_000, "auto"));
        for (int i = 0; i < 500; i++) {
            Frame dead = stream(null);
            dead.emitted(60);
        }
        now = now.plus(Duration.ofMinutes(1));
        Frame tooMuch = meter.open(new Object(), () -> ModelCall.of("gpt", 120_000, 1));
        assertThat(tooMuch.refusal()).isInstanceOf(LimitExceededException.class);
        Frame fits = meter.open(new Object(), () -> ModelCall.of("gpt", 119_999, 1));
        assertThat(fits.refusal()).isNull();
        fits.succeed(Usage.of(120_000, 0), 0, null);

        assertAtRest(200_000);
    }

    @Test
    void R7_aDeadStreamIsBookedWhenItsHoldExpiresThoughOneBeforeItWasExtended() {
        use(metering(10_000, "auto"));
        Instant start = now;
        Frame alive = stream(null);
        for (int second : new int[] {50, 95}) {
            now = start.plusSeconds(second);
            alive.emitted(1);
        }
        Frame dead = stream(null);
        dead.emitted(40);
        now = start.plusSeconds(156);
        alive.emitted(1);

        assertThat(tokens().used()).isEqualTo(INPUT + 40);
        alive.cancel();
        assertAtRest(2 * INPUT + 40 + 3);
    }

    @Test
    void aStreamThatNeverEndsIsBookedWithWhatFlowedWhenItsHoldExpires() {
        Frame frame = stream(null);
        frame.emitted(40);
        now = now.plus(Duration.ofMinutes(1));

        assertAtRest(INPUT + 40);
        frame.cancel();
        assertAtRest(INPUT + 40);
    }

    @Test
    void aStreamThatGoesOnAfterItWasTakenForDeadIsChargedTheRestAndNoMore() {
        Frame frame = stream(null);
        frame.emitted(40);
        now = now.plus(Duration.ofMinutes(2));
        assertThat(tokens().used()).isEqualTo(INPUT + 40);
        frame.emitted(100);
        frame.succeed(Usage.of(INPUT, 150), 0, null);

        assertAtRest(INPUT + 150);
    }

    @Test
    void R7_aStreamThatFlowsDoesNotExpire() {
        Frame frame = stream(null);
        for (int i = 0; i < 40; i++) {
            now = now.plus(Duration.ofSeconds(25));
            assertThat(frame.emitted(1)).isNull();
            assertThat(tokens().held()).isGreaterThan(INPUT);
        }
        frame.succeed(Usage.of(INPUT, 40), 0, null);
        assertAtRest(INPUT + 40);
    }

    @Test
    void C1_aDecoratorsStreamHandsItsHoldToTheOneItOpensAndBooksNothing() {
        Frame outer = meter.openStream(new Object(), () -> ModelCall.of("gpt", INPUT, null));
        Frame inner = meter.openStream(new Object(), () -> ModelCall.of("gpt", INPUT, null));
        inner.detach();
        outer.detach();
        assertThat(tokens().held()).isEqualTo(INPUT + CHUNK);

        for (Frame frame : List.of(inner, outer)) {
            frame.emitted(10);
            frame.succeed(Usage.of(INPUT, 10), 0, null);
        }
        assertAtRest(INPUT + 10);
        assertThat(metering.report().calls().metered()).isEqualTo(1);
    }

    private static final class Decorator {}

    private Frame onAnotherThread(Object model) throws Exception {
        CompletableFuture<Frame> opened = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            Frame frame = meter.openStream(model, () -> ModelCall.of("gpt", INPUT, null));
            frame.detach();
            opened.complete(frame);
        });
        thread.start();
        return opened.get();
    }

    @Test
    void C1_aDecoratorOnAnotherThreadGivesItsHoldUpWhenItHandsOnWhatFlowsHoweverThatEnds() throws Exception {
        Frame outer = meter.openStream(new Decorator(), () -> ModelCall.of("gpt", INPUT, null));
        outer.detach();
        Frame inner = onAnotherThread(new Object());
        for (int i = 0; i < 3; i++) {
            inner.emitted(10);
            outer.handsOn(inner);
            outer.emitted(10);
        }
        outer.cancel();
        inner.cancel();

        assertAtRest(INPUT + 30);
        assertThat(metering.report().calls().metered()).isEqualTo(1);
    }

    @Test
    void C1_aStreamThatIsAskedForInsideOfWhatAnotherSaysIsACallOfItsOwn() throws Exception {
        Frame first = stream(null);
        Frame second = onAnotherThread(new Object());
        first.emitted(10);
        second.handsOn(first);
        second.emitted(10);
        second.cancel();
        first.cancel();

        assertAtRest(2 * (INPUT + 10));
    }

    @Test
    void C5_aClassThatHandedAnswersOnIsHeldAndCutLikeAnyOtherWhenItStreamsByItself() {
        Frame outer = meter.openStream(new Decorator(), () -> ModelCall.of("gpt", INPUT, null));
        Frame inner = meter.openStream(new Object(), () -> ModelCall.of("gpt", INPUT, null));
        inner.detach();
        outer.detach();
        Object answer = new Object();
        inner.succeed(Usage.of(INPUT, 10), 0, answer);
        outer.succeed(Usage.of(INPUT, 10), 0, answer);
        Frame own = meter.openStream(new Decorator(), () -> ModelCall.of("gpt", INPUT, null));
        own.detach();
        assertThat(tokens().held()).isZero();
        int flowed = 0;
        while (own.emitted(10) == null) {
            flowed += 10;
        }

        assertThat(flowed).isEqualTo(1000 - 2 * INPUT - 10);
        assertAtRest(1000 + 10);
    }

    @Test
    void aStreamThatEndsOnAnotherThreadBeforeItsMethodReturnsLeavesTheStackClean() throws Exception {
        Frame frame = meter.openStream(new Object(), () -> ModelCall.of("gpt", INPUT, null));
        Thread callback = new Thread(() -> frame.succeed(Usage.of(INPUT, 10), 0, null));
        callback.start();
        callback.join();
        frame.detach();

        assertThat(meter.current()).isNull();
        assertAtRest(INPUT + 10);
    }

    @Test
    void tenThousandAbandonedStreamsLeaveNothingBehind() {
        use(metering(100_000_000, "auto"));
        for (int i = 0; i < 10_000; i++) {
            stream(null).emitted(1);
        }
        assertThat(metering.openStreams()).isEqualTo(10_000);
        now = now.plus(Duration.ofMinutes(1));

        assertAtRest(10_000L * (INPUT + 1));
    }

    @Test
    void theOutputOfAStreamIsCountedAsOneTextHoweverItIsCutIntoPieces() {
        String text = "The quick brown fox jumps over the lazy dog, und noch ein Satz: 12345.";
        for (int size = 1; size <= text.length(); size++) {
            OutputCounter counter = new OutputCounter();
            long sum = 0;
            for (int from = 0; from < text.length(); from += size) {
                sum += counter.add(text.substring(from, Math.min(text.length(), from + size)));
            }
            assertThat(sum).isEqualTo(TextTokens.estimate(text));
        }
        assertThat(new OutputCounter().add(null)).isZero();
    }
}
