package io.tokenbudget.testkit.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows of streams that end before the provider wants: the application leaves, or a budget is used up. */
abstract class StreamsThatAreLeft<M> extends StreamedCalls<M> {
    private static final String SHORT_QUESTION = "Rain?";

    /** Of the answer to {@link #SHORT_QUESTION}. */
    private static final int PIECES = 14;

    /** Of the budgets of every model {@code cut-short*}. */
    private static final long SHORT_LIMIT = 200;

    /** A bound on output that no stream comes to before it is left. */
    private static final int FAR_AWAY = 10_000;

    /** A stream that the application can leave when it has seen so many pieces. */
    private ModelSpec toBeLeft(Function<String, ModelSpec> spec, int pieces, boolean bounded) {
        if (closesSilentStreams()) {
            ModelSpec silent = spec.apply("stalls-after-" + (pieces + piecesHeldBack()));
            return bounded ? silent : silent.withoutBound();
        }
        ModelSpec flowing = spec.apply("endless");
        return bounded ? flowing.withBound(FAR_AWAY) : flowing.withoutBound();
    }

    /**
     * Waits until the provider has seen the client leave.
     *
     * @return false where a framework has lost the cancellation, as it may: then nobody knows what is billed in the end
     */
    private boolean isTold(Cell cell) throws InterruptedException {
        try {
            cell.awaitLeft(1);
            return true;
        } catch (IllegalStateException notTold) {
            if (tellsTheProviderForSure()) {
                throw notTold;
            }
            return false;
        }
    }

    private Booking asLeft() {
        return closesSilentStreams() ? Booking.FLOWED : Booking.FLOWED_UNTIL_LEFT;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("C5: whenever the application leaves, what has flowed is booked and the provider is told")
    @Row(
            provider =
                    "`stalls-after-<n>` for every n of the answer, with a bound on output and without; sees the connection close",
            booked = "what flowed, never less than one piece before, never more than is held")
    void wheneverTheApplicationLeavesWhatHasFlowedIsBooked(boolean bounded) throws Exception {
        long before = 0;
        for (int pieces = leavesEarliestAfter(); pieces <= PIECES; pieces++) {
            Cell cell = cell((bounded ? "leaves-bounded-" : "leaves-") + pieces);
            ModelSpec spec = toBeLeft(cell::spec, pieces, bounded);
            long[] held = new long[1];
            StreamListener listener = StreamListener.leavingAfter(pieces, cancel -> {
                held[0] = cell.held();
                leave(cancel);
            });

            stream(metered(spec), SHORT_QUESTION, listener);
            await(listener);
            boolean told = isTold(cell);
            cell.awaitNothingHeld();
            if (!told) {
                continue;
            }

            assertThat(listener.seen().pieces()).hasSize(pieces);
            Booked booked = cell.assertBooked(asLeft(), 1);
            if (closesSilentStreams()) {
                assertThat(booked.total()).as("after " + pieces).isBetween(before, held[0]);
                before = booked.total();
            } else {
                assertThat(booked.output()).as("after " + pieces).isGreaterThan(pieces / 2);
            }
        }
    }

    @Test
    @DisplayName("C5: an application that leaves sees what it sees without us, and so from another thread")
    @Row(provider = "`stalls-after-7`; sees the connection close", booked = "what flowed")
    void anApplicationThatLeavesSeesWhatItAlwaysSees() throws Exception {
        Consumer<Runnable> leaving = leavesFromAnyThread()
                ? cancel -> CompletableFuture.runAsync(() -> leave(cancel)).join()
                : this::leave;
        Cell cell = cell(closesSilentStreams() ? "leaves-elsewhere" : "leaves-elsewhere-flowing");

        cell.assertSame(
                spec -> saw(metered(toBeLeft(spec, 7, true)), StreamListener.leavingAfter(7, leaving))
                        .outcome(),
                spec -> saw(model(toBeLeft(spec, 7, true)), StreamListener.leavingAfter(7, leaving))
                        .outcome());
        boolean told = isTold(cell);
        cell.awaitNothingHeld();
        if (!told) {
            return;
        }

        cell.assertBooked(asLeft(), 1);
    }

    @Test
    @DisplayName("C5: an application may leave while nothing comes")
    @Row(provider = "`stalls-after-7`; sees the connection close", booked = "what flowed")
    void anApplicationMayLeaveWhileNothingComes() throws Exception {
        Cell cell = cell("leaves-later");

        boolean silent = closesSilentStreamsAtAnyTime();

        ModelSpec flowing = cell.spec("endless").withBound(FAR_AWAY);
        Seen seen = leavesLater(metered(silent ? toBeLeft(cell::spec, 7, true) : flowing));
        boolean told = isTold(cell);
        cell.awaitNothingHeld();
        if (!told) {
            return;
        }

        assertThat(seen.pieces()).hasSizeGreaterThanOrEqualTo(7);
        // Frameworks may tell that the stream was closed, or not, by how far the one thread was when the other closed
        // it.
        assertThat(seen.ends()).hasSizeLessThan(2).allMatch(end -> end.kind().startsWith("failed"));
        cell.assertBooked(silent ? Booking.FLOWED : Booking.FLOWED_UNTIL_LEFT, 1);
    }

    private Seen leavesLater(M model) {
        CompletableFuture<Runnable> cancel = new CompletableFuture<>();
        StreamListener listener = StreamListener.actingAfter(7, leavesFromAnyThread() ? cancel::complete : this::leave);
        stream(model, QUESTION, listener);
        return await(listener, () -> {
            listener.awaitPieces(7);
            if (leavesFromAnyThread()) {
                leave(cancel.join());
            }
        });
    }

    @Test
    @DisplayName("R2, C5: a budget that cannot hold the whole answer cuts the stream at the provider")
    @Row(
            provider = "`endless`; sees the connection close",
            booked =
                    "what flowed, at most one piece above the limit; the application gets one refusal and nothing after it")
    void aBudgetThatCannotHoldTheAnswerCutsTheStream() throws Exception {
        Cell cell = cell("cut-short");

        Seen seen = saw(metered(cell.spec("endless").withoutBound()));
        if (boundsEveryCall()) {
            // Held in full, or not at all.
            assertThat(seen.pieces()).isEmpty();
            assertThat(seen.ends()).singleElement().matches(Seen.End::isRefusal);
            assertThat(cell.requests()).isZero();
            cell.assertNothingIsLeft();
            return;
        }
        if (!isTold(cell)) {
            return;
        }

        assertThat(seen.ends()).singleElement().matches(Seen.End::isRefusal);
        assertThat(seen.pieces()).isNotEmpty();
        Booked booked = cell.assertBookedAsSeen(Booking.FLOWED, seen);
        assertThat(booked.refused()).isPositive();
        // The piece that no longer fitted has been produced all the same.
        assertThat(booked.total()).isBetween(SHORT_LIMIT / 2, SHORT_LIMIT + 1);
    }
}
