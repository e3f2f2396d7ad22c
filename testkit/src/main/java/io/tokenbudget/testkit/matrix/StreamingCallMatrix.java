package io.tokenbudget.testkit.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
public abstract class StreamingCallMatrix<M> extends StreamsThatAreLeft<M> {
    /** The row of an application that throws in the callback of a piece. */
    public static final String THROWS_AT_A_PIECE = "throws-at-a-piece";

    /** The row of an application that throws when it is told that the answer is complete. */
    public static final String THROWS_AT_THE_END = "throws-at-the-end";

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
    @Row(
            provider = "the endings that a client keeps to itself, see the exceptions",
            booked =
                    "input estimated, what flowed counted, when the hold expires; not run under the agent, whose clock no test turns")
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
    @Row(provider = "every ending, see above", booked = "as it says there")
    void everyEndingIsBookedAsItIsBilled(StreamEnding ending) throws InterruptedException {
        Cell cell = cell("ending-" + ending.scenario);
        List<Seen> seen = new ArrayList<>();

        cell.assertSame(
                spec -> {
                    seen.add(saw(metered(spec.apply(ending.scenario).withTimeout(ending.timeout()))));
                    return ending.compared(seen.get(0));
                },
                spec -> ending.compared(saw(model(spec.apply(ending.scenario).withTimeout(ending.timeout())))));
        cell.awaitRequests(1);
        stub().release();

        Booking booking = booking(ending);
        if (booking == Booking.FLOWED && ending.flowsAsSeen()) {
            cell.assertBookedAsSeen(booking, seen.get(0));
        } else {
            cell.assertBooked(booking, 1);
        }
    }

    @Test
    @DisplayName("C5: a hold grows with an answer that nothing bounds")
    @Row(provider = "`long`, and no bound on output", booked = "to the token")
    void aHoldGrowsWithTheAnswer() {
        Cell cell = cell(losesPiecesOfFastStreams() ? "unbounded-lossy" : "unbounded");
        Function<Seen, Outcome> compared = losesPiecesOfFastStreams() ? Seen::ending : Seen::outcome;

        cell.assertSame(
                spec -> compared.apply(saw(metered(spec.apply("long").withoutBound()))),
                spec -> compared.apply(saw(model(spec.apply("long").withoutBound()))));

        cell.assertBooked(Booking.TO_THE_TOKEN, 1);
    }

    @Test
    @DisplayName("C1: a stream inside a tool is a call of its own")
    @Row(provider = "`tools-1`, and `ok` inside the tool", booked = "all three calls to the token")
    void aStreamInsideAToolIsACallOfItsOwn() {
        Cell cell = cell("nested");
        M inner = metered(cell.spec("ok"));

        sawWithTool(metered(cell.spec("tools-1")), () -> saw(inner).outcome().text());

        cell.assertBooked(Booking.TO_THE_TOKEN, 3);
    }

    @Test
    @DisplayName("R2, C8: a runaway tool loop is refused in a later round, once and through the stream")
    @Row(provider = "`tools-forever`", booked = "each round to the token, up to the limit; the refusal comes once")
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
    @Row(
            provider = "`ok` until the budget is used up, then another budget's",
            booked = "to the token; the refused call never reaches the provider")
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
    @ValueSource(strings = {THROWS_AT_A_PIECE, THROWS_AT_THE_END})
    @DisplayName("C6: what the application's own code throws changes nothing")
    @Row(provider = "`ok`, and the application throws at the fifth piece, or at the end", booked = "to the token")
    void whatTheApplicationThrowsChangesNothing(String where) throws Exception {
        Cell cell = cell(where);
        List<Seen> seen = new ArrayList<>();

        cell.assertSame(
                spec -> {
                    seen.add(saw(metered(spec.apply("ok")), throwing(where)));
                    return seen.get(0).outcome();
                },
                spec -> saw(model(spec.apply("ok")), throwing(where)).outcome());
        cell.awaitNothingHeld();

        cell.awaitRequests(1);

        Booking booking = booking(where, Booking.TO_THE_TOKEN);
        if (booking == Booking.FLOWED) {
            cell.assertBookedAsSeen(booking, seen.get(0));
        } else {
            cell.assertBooked(booking, 1);
        }
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
    @DisplayName("R2: several threads at once never go over")
    @Row(provider = "`slow-20ms`, 16 threads on a small budget", booked = "to the token, at most the limit")
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
}
