package io.tokenbudget.testkit.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The accounting matrix for streams, as {@link BlockingCallMatrix} is for blocking calls: an integration proves itself with
 * a subclass for its framework and, below that, one for each {@link Way}.
 *
 * <p>After each cell: what was booked is what the provider billed (to the token, or as the cell's {@link Booking} says
 * and why), nothing is held and nothing has expired, every hold ended once, and the application saw what it sees without
 * any of this: the same texts and the same ends. Where it leaves, or a budget ends the stream, the provider has seen the
 * connection close.
 *
 * @param <M> the framework's streaming model
 */
@DisplayName("The accounting matrix of streams")
public abstract class StreamingCallMatrix<M> extends AccountingMatrix<M> {
    /** The row of an application that throws in the callback of a piece. */
    public static final String THROWS_AT_A_PIECE = "throws-at-a-piece";

    /** The row of an application that throws when it is told that the answer is complete. */
    public static final String THROWS_AT_THE_END = "throws-at-the-end";

    private static final String SHORT_QUESTION = "Rain?";

    /** Of the answer to {@link #SHORT_QUESTION}. */
    private static final int PIECES = 14;

    /** Of the budgets of every model {@code cut-short*}. */
    private static final long SHORT_LIMIT = 200;

    /** Asks the model. Tells {@code listener} all that the framework tells, and may return before the stream has ended. */
    protected abstract void stream(M model, String question, StreamListener listener);

    /** The same, through the framework's tool loop, with one tool that takes one string. */
    protected abstract void streamWithTool(M model, String question, Supplier<String> tool, StreamListener listener);

    /**
     * Returns when no more signal can come of a stream that has ended: where the framework may signal more than one end.
     *
     * @param teller the thread of the last signal
     */
    protected void awaitRest(Thread teller) throws InterruptedException {}

    /**
     * Lets the application end a stream inside a callback.
     *
     * @param cancel what the framework has for it; throws where it has nothing
     */
    protected void leave(Runnable cancel) {
        cancel.run();
    }

    /** Whether a stream can be ended from another thread than that of its callbacks. */
    protected boolean leavesFromAnyThread() {
        return true;
    }

    /** After how many pieces an application can leave: 0, where it is given something to cancel by before the first. */
    protected int leavesEarliestAfter() {
        return 1;
    }

    /** The rows in which this framework is booked otherwise. */
    protected List<Deviation> deviations() {
        return List.of();
    }

    @Override
    String kind() {
        return "-streamed";
    }

    private Booking booking(String row, Booking usual) {
        return deviations().stream()
                .filter(deviation -> deviation.row().equals(row))
                .map(Deviation::booking)
                .findFirst()
                .orElse(usual);
    }

    private Booking booking(StreamEnding ending) {
        return booking(ending.scenario, ending.booking);
    }

    final Stream<StreamEnding> endingsThatAreTold() {
        return Stream.of(StreamEnding.values()).filter(ending -> booking(ending) != Booking.FLOWED_AT_EXPIRY);
    }

    /** Under the agent the clock is the machine's, and no test waits for a hold to expire. */
    final Stream<StreamEnding> silentEndings() {
        return Stream.of(StreamEnding.values())
                .filter(ending -> booking(ending) == Booking.FLOWED_AT_EXPIRY && way().canPass());
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("silentEndings")
    @DisplayName("C5, R7: a stream that ends without a word is booked when its hold expires")
    void aStreamThatEndsWithoutAWordIsBookedAtExpiry(StreamEnding ending) throws Exception {
        Cell cell = cell("silent-" + ending.scenario);
        StreamListener listener = StreamListener.toTheEnd();

        stream(metered(cell.spec(ending.scenario)), QUESTION, listener);
        listener.awaitPieces(ending.pieces());
        cell.awaitRequests(1);
        way().pass(Duration.ofMinutes(6));

        assertThat(listener.seen().ends()).isEmpty();
        cell.assertBookedAsSeen(booking(ending), listener.seen());
    }

    @ParameterizedTest
    @MethodSource("endingsThatAreTold")
    @DisplayName("C4, C5, C6: every ending of a stream is booked as it is billed")
    void everyEndingIsBookedAsItIsBilled(StreamEnding ending) {
        Cell cell = cell("ending-" + ending.scenario);
        List<Seen> seen = new ArrayList<>();
        Function<Seen, Outcome> compared = ending.isMatterOfLuck() ? Seen::ending : Seen::outcome;

        cell.assertSame(
                spec -> {
                    seen.add(saw(metered(spec.apply(ending.scenario).withTimeout(ending.timeout()))));
                    return compared.apply(seen.get(0));
                },
                spec -> compared.apply(saw(model(spec.apply(ending.scenario).withTimeout(ending.timeout())))));
        provider().release();

        Booking booking = booking(ending);
        if (ending.losesPieces()) {
            cell.assertBookedAsSeen(booking, seen.get(0));
        } else {
            cell.assertBooked(booking, 1);
        }
    }

    @Test
    @DisplayName("C6: a provider that cannot be reached costs nothing")
    void aProviderThatCannotBeReachedCostsNothing() throws IOException {
        Cell cell = cell("unreachable");
        String nobody = addressWhereNobodyListens();

        cell.assertSame(
                spec -> saw(metered(spec.apply("ok").withBaseUrl(nobody))).outcome(),
                spec -> saw(model(spec.apply("ok").withBaseUrl(nobody))).outcome());

        cell.assertBooked(Booking.NOTHING, 1);
    }

    @Test
    @DisplayName("C5: a hold grows with an answer that nothing bounds")
    void aHoldGrowsWithTheAnswer() {
        Cell cell = cell("unbounded");

        cell.assertSame(
                spec -> saw(metered(spec.apply("long").withoutBound())).outcome(),
                spec -> saw(model(spec.apply("long").withoutBound())).outcome());

        cell.assertBooked(Booking.TO_THE_TOKEN, 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("C5: whenever the application leaves, what has flowed is booked and the provider is told")
    void wheneverTheApplicationLeavesWhatHasFlowedIsBooked(boolean bounded) throws Exception {
        long before = 0;
        for (int pieces = leavesEarliestAfter(); pieces <= PIECES; pieces++) {
            Cell cell = cell((bounded ? "leaves-bounded-" : "leaves-") + pieces);
            ModelSpec spec = cell.spec("stalls-after-" + pieces);
            long[] held = new long[1];
            StreamListener listener = StreamListener.leavingAfter(pieces, cancel -> {
                held[0] = cell.held();
                leave(cancel);
            });

            stream(metered(bounded ? spec : spec.withoutBound()), SHORT_QUESTION, listener);
            await(listener);
            cell.awaitLeft(1);
            cell.awaitNothingHeld();

            assertThat(listener.seen().pieces()).hasSize(pieces);
            Booked booked = cell.assertBooked(Booking.FLOWED, 1);
            assertThat(booked.total()).as("after " + pieces).isBetween(before, held[0]);
            before = booked.total();
        }
    }

    @Test
    @DisplayName("C5: an application that leaves sees what it sees without us, and so from another thread")
    void anApplicationThatLeavesSeesWhatItAlwaysSees() throws Exception {
        Consumer<Runnable> leaving = leavesFromAnyThread()
                ? cancel -> CompletableFuture.runAsync(() -> leave(cancel)).join()
                : this::leave;
        Cell cell = cell("leaves-elsewhere");

        cell.assertSame(
                spec -> saw(metered(spec.apply("stalls-after-7")), StreamListener.leavingAfter(7, leaving))
                        .outcome(),
                spec -> saw(model(spec.apply("stalls-after-7")), StreamListener.leavingAfter(7, leaving))
                        .outcome());
        cell.awaitLeft(1);
        cell.awaitNothingHeld();

        cell.assertBooked(Booking.FLOWED, 1);
    }

    @Test
    @DisplayName("R2, C5: a budget that cannot hold the whole answer cuts the stream at the provider")
    void aBudgetThatCannotHoldTheAnswerCutsTheStream() throws Exception {
        Cell cell = cell("cut-short");

        Seen seen = saw(metered(cell.spec("endless").withoutBound()));
        cell.awaitLeft(1);

        assertThat(seen.ends()).singleElement().matches(Seen.End::isRefusal);
        assertThat(seen.pieces()).isNotEmpty();
        Booked booked = cell.assertBookedAsSeen(Booking.FLOWED, seen);
        assertThat(booked.refused()).isPositive();
        // The piece that no longer fitted has been produced all the same.
        assertThat(booked.total()).isBetween(SHORT_LIMIT / 2, SHORT_LIMIT + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tools-1", "tools-2", "tools-3", "tools-parallel"})
    @DisplayName("C2: every round of a tool loop counts once")
    void everyRoundOfAToolLoopCountsOnce(String scenario) {
        Cell cell = cell("loop-" + scenario);

        cell.assertSame(
                spec -> sawWithTool(metered(spec.apply(scenario)), () -> "mild").outcome(),
                spec -> sawWithTool(model(spec.apply(scenario)), () -> "mild").outcome());

        assertThat(cell.requests()).isGreaterThan(1);
        cell.assertBooked(Booking.TO_THE_TOKEN, cell.requests());
    }

    @Test
    @DisplayName("C2, C6: an error in a later round refunds that round and no other")
    void anErrorInALaterRoundRefundsThatRound() {
        Cell cell = cell("later-round");
        String scenario = "tools-2-then-error-500";

        cell.assertSame(
                spec -> sawWithTool(metered(spec.apply(scenario)), () -> "mild").outcome(),
                spec -> sawWithTool(model(spec.apply(scenario)), () -> "mild").outcome());

        Booked booked = cell.booked();
        assertThat(booked.total()).isEqualTo(cell.billed().totalTokens()).isPositive();
        assertThat(booked.settled()).isEqualTo(2);
        assertThat(booked.refunded()).isOne();
        cell.assertNothingIsLeft();
    }

    @Test
    @DisplayName("C1: a stream inside a tool is a call of its own")
    void aStreamInsideAToolIsACallOfItsOwn() {
        Cell cell = cell("nested");
        M inner = metered(cell.spec("ok"));

        sawWithTool(metered(cell.spec("tools-1")), () -> saw(inner).outcome().text());

        cell.assertBooked(Booking.TO_THE_TOKEN, 3);
    }

    @Test
    @DisplayName("R2, C8: a runaway tool loop is refused in a later round, once and through the stream")
    void aRunawayToolLoopIsRefusedThroughTheStream() {
        Cell cell = cell("used-up-loop");

        Seen seen = sawWithTool(metered(cell.spec("tools-forever")), () -> "mild");

        assertThat(seen.ends()).singleElement().matches(Seen.End::isRefusal);
        assertThat(cell.booked().total()).isPositive().isLessThanOrEqualTo(LIMIT);
        assertThat(cell.booked().refused()).isOne();
        cell.assertBooked(Booking.TO_THE_TOKEN, cell.requests());
    }

    @Test
    @DisplayName("R2, C8: a used-up budget refuses through the stream, and the same thread serves the next tenant")
    void aUsedUpBudgetRefusesAndTheThreadServesTheNextTenant() throws Exception {
        Cell cell = cell("used-up");
        M model = metered(cell.spec("ok"));
        while (cell.booked().total() < LIMIT - 200) {
            saw(model);
        }
        int requests = cell.requests();
        Cell next = cell("next-tenant");
        M another = metered(next.spec("ok"));

        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            Seen refused = pool.submit(() -> saw(model, TOO_LONG_FOR_THE_REST)).get();
            Seen served = pool.submit(() -> saw(another)).get();

            assertThat(refused.pieces()).isEmpty();
            assertThat(refused.ends()).singleElement().matches(Seen.End::isRefusal);
            assertThat(served.ends())
                    .singleElement()
                    .satisfies(end -> assertThat(end.kind()).isEqualTo("completed"));
        } finally {
            pool.shutdown();
        }
        assertThat(cell.requests()).isEqualTo(requests);
        assertThat(cell.booked().refused()).isOne();
        assertThat(cell.booked().total()).isEqualTo(cell.billed().totalTokens());
        next.assertBooked(Booking.TO_THE_TOKEN, 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"DECORATOR", "OTHER_THREAD"})
    @DisplayName("C1: a decorator opens no second charge")
    void aDecoratorOpensNoSecondCharge(Layer.Kind layer) {
        Cell cell = cell("layer-" + layer);
        M model = metered(decorated(new Layer(layer), metered(cell.spec("ok"))));

        saw(model);
        saw(model, QUESTION + " Thank you.");

        cell.assertBooked(Booking.TO_THE_TOKEN, 2);
    }

    @Test
    @DisplayName("C1, C6: a stream that fails on another thread is booked once")
    void aStreamThatFailsOnAnotherThreadIsBookedOnce() {
        Cell cell = cell("layer-fails");
        ModelSpec spec = cell.spec("timeout-input").withTimeout(StreamEnding.TIME_OUT.timeout());

        saw(metered(decorated(new Layer(Layer.Kind.OTHER_THREAD_THAT_FAILS), metered(spec))));
        provider().release();

        cell.assertBooked(booking(StreamEnding.TIME_OUT.scenario, Booking.INPUT_ESTIMATED), 1);
    }

    @Test
    @DisplayName("C1: an answer from a cache costs nothing")
    void anAnswerFromACacheCostsNothing() {
        Cell cell = cell("layer-cache");
        M model = metered(decorated(new Layer(Layer.Kind.CACHE), metered(cell.spec("ok"))));

        saw(model);
        saw(model);

        assertThat(cell.requests()).isOne();
        cell.assertBooked(Booking.TO_THE_TOKEN, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {THROWS_AT_A_PIECE, THROWS_AT_THE_END})
    @DisplayName("C6: what the application's own code throws changes nothing")
    void whatTheApplicationThrowsChangesNothing(String where) {
        Cell cell = cell(where);

        cell.assertSame(
                spec -> saw(metered(spec.apply("ok")), throwing(where)).outcome(),
                spec -> saw(model(spec.apply("ok")), throwing(where)).outcome());
        cell.awaitNothingHeld();

        cell.assertBooked(booking(where, Booking.TO_THE_TOKEN), 1);
    }

    private static StreamListener throwing(String where) {
        return where.equals(THROWS_AT_THE_END)
                ? StreamListener.actingAtTheEnd(StreamingCallMatrix::fail)
                : StreamListener.actingAfter(5, cancel -> fail());
    }

    private static void fail() {
        throw new IllegalStateException("the application's own");
    }

    @Test
    @DisplayName("R3: several threads at once")
    void severalThreadsAtOnce() throws Exception {
        Cell cell = cell("threads");
        M model = metered(cell.spec("ok").withoutBound());

        inParallel(8, () -> {
            for (int call = 0; call < 5; call++) {
                saw(model);
            }
            return true;
        });

        cell.assertBooked(Booking.TO_THE_TOKEN, 40);
    }

    @Test
    @DisplayName("R2: several threads at once never go over")
    void severalThreadsAtOnceNeverGoOver() throws Exception {
        Cell cell = cell("used-up-race");
        M model = metered(cell.spec("slow-20ms"));

        List<Seen> seen = inParallel(16, () -> saw(model));

        long refused = seen.stream()
                .filter(one -> one.ends().size() == 1 && one.ends().get(0).isRefusal())
                .count();
        assertThat(refused).isBetween(1L, 15L).isEqualTo(16 - cell.requests());
        assertThat(cell.booked().total()).isLessThanOrEqualTo(LIMIT);
        assertThat(cell.booked().refused()).isEqualTo(refused);
        cell.assertBooked(Booking.TO_THE_TOKEN, cell.requests());
    }

    private Seen saw(M model) {
        return saw(model, QUESTION);
    }

    private Seen saw(M model, String question) {
        StreamListener listener = StreamListener.toTheEnd();
        stream(model, question, listener);
        return await(listener);
    }

    private Seen saw(M model, StreamListener listener) {
        stream(model, QUESTION, listener);
        return await(listener);
    }

    private Seen sawWithTool(M model, Supplier<String> tool) {
        StreamListener listener = StreamListener.toTheEnd();
        streamWithTool(model, QUESTION, tool, listener);
        return await(listener);
    }

    private Seen await(StreamListener listener) {
        try {
            listener.await();
            Thread teller = listener.teller();
            if (teller != null && teller != Thread.currentThread()) {
                awaitRest(teller);
            }
            return listener.seen();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
