package io.tokenbudget.testkit.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows that are the same for blocking calls and for streams. */
abstract class CommonRows<M> extends AccountingMatrix<M> {

    /** What the application sees of the answer to {@code question}. */
    abstract Outcome sees(M model, String question);

    /** The same, through the framework's tool loop. */
    abstract Outcome seesWithTool(M model, Supplier<String> tool);

    final Outcome sees(M model) {
        return sees(model, QUESTION);
    }

    @Test
    @DisplayName("C6: a provider that cannot be reached costs nothing")
    @Row(provider = "nobody listens", booked = "nothing")
    void aProviderThatCannotBeReachedCostsNothing() throws IOException {
        Cell cell = cell("unreachable");
        String nobody = addressWhereNobodyListens();

        cell.assertSame(
                spec -> sees(metered(spec.apply("ok").withBaseUrl(nobody))),
                spec -> sees(model(spec.apply("ok").withBaseUrl(nobody))));

        cell.assertBooked(Booking.NOTHING, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tools-1", "tools-2", "tools-3", "tools-parallel"})
    @DisplayName("C2: every round of a tool loop counts once")
    @Row(provider = "`tools-1` to `tools-3`, `tools-parallel`", booked = "each round to the token")
    void everyRoundOfAToolLoopCountsOnce(String scenario) {
        Cell cell = cell("loop-" + scenario);

        Outcome outcome = cell.assertSame(
                spec -> seesWithTool(metered(spec.apply(scenario)), () -> "mild"),
                spec -> seesWithTool(model(spec.apply(scenario)), () -> "mild"));

        assertThat(outcome.isAnswer()).as(outcome.text()).isTrue();
        assertThat(cell.requests()).isGreaterThan(1);
        cell.assertBooked(Booking.TO_THE_TOKEN, cell.requests());
    }

    @Test
    @DisplayName("C2, C6: an error in a later round refunds that round and no other")
    @Row(provider = "`tools-2-then-error-500`", booked = "two rounds to the token, the third nothing")
    void anErrorInALaterRoundRefundsThatRound() {
        Cell cell = cell("later-round");
        String scenario = "tools-2-then-error-500";

        cell.assertSame(
                spec -> seesWithTool(metered(spec.apply(scenario)), () -> "mild"),
                spec -> seesWithTool(model(spec.apply(scenario)), () -> "mild"));

        Booked booked = cell.booked();
        assertThat(booked.total()).isEqualTo(cell.billed().totalTokens()).isPositive();
        assertThat(booked.settled()).isEqualTo(2);
        assertThat(booked.refunded()).isOne();
        cell.assertNothingIsLeft();
    }

    @ParameterizedTest
    @EnumSource(names = {"DECORATOR", "OTHER_THREAD"})
    @DisplayName("C1: a decorator opens no second charge")
    @Row(
            provider = "`ok` twice, through a decorator on the same and on another thread",
            booked = "both calls to the token")
    void aDecoratorOpensNoSecondCharge(Layer.Kind layer) {
        Cell cell = cell("layer-" + layer);
        M model = metered(decorated(new Layer(layer), metered(cell.spec("ok"))));

        sees(model);
        sees(model, QUESTION + " Thank you.");

        cell.assertBooked(Booking.TO_THE_TOKEN, 2);
    }

    @Test
    @DisplayName("C1, C6: a call that fails on another thread is booked once")
    @Row(provider = "`timeout-input`, through a decorator on another thread", booked = "input estimated, once")
    void aCallThatFailsOnAnotherThreadIsBookedOnce() throws InterruptedException {
        Cell cell = cell("layer-fails");
        ModelSpec spec = cell.spec(Ending.TIME_OUT.scenario).withTimeout(Ending.TIME_OUT.timeout());

        sees(metered(decorated(new Layer(Layer.Kind.OTHER_THREAD_THAT_FAILS), metered(spec))));
        cell.awaitRequests(1);
        stub().release();

        cell.assertBooked(booking(Ending.TIME_OUT.scenario, Booking.INPUT_ESTIMATED), 1);
    }

    @Test
    @DisplayName("C1: an answer from a cache costs nothing")
    @Row(provider = "`ok` once, asked twice", booked = "one call to the token")
    void anAnswerFromACacheCostsNothing() {
        Cell cell = cell("layer-cache");
        M model = metered(decorated(new Layer(Layer.Kind.CACHE), metered(cell.spec("ok"))));

        assertThat(sees(model).isAnswer()).isTrue();
        assertThat(sees(model).isAnswer()).isTrue();
        assertThat(cell.requests()).isOne();
        cell.assertBooked(Booking.TO_THE_TOKEN, 1);
    }

    @Test
    @DisplayName("R3: several threads at once")
    @Row(provider = "`ok`, 40 calls of eight threads, without a bound on output", booked = "to the token")
    void severalThreadsAtOnce() throws Exception {
        Cell cell = cell("threads");
        M model = metered(cell.spec("ok").withoutBound());

        inParallel(8, () -> {
            for (int call = 0; call < 5; call++) {
                sees(model);
            }
            return true;
        });

        cell.assertBooked(Booking.TO_THE_TOKEN, 40);
    }
}
