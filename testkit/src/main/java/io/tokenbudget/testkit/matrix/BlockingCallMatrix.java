package io.tokenbudget.testkit.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The accounting matrix for blocking calls. An integration proves itself with a subclass for its framework and, below
 * that, one for each {@link Way}.
 *
 * <p>After each cell: what was booked is what the provider billed (to the token, or as the cell's {@link Booking} says
 * and why), nothing is held, every hold ended once, and the application saw what it sees without any of this.
 *
 * <p>To run nothing else of a build: {@code mvn verify -Dgroups=accounting-matrix}.
 *
 * @param <M> the framework's model
 */
@DisplayName("The accounting matrix of blocking calls")
public abstract class BlockingCallMatrix<M> extends CommonRows<M> {
    /** Asks the model and gives the answer's text. */
    protected abstract String ask(M model, String question);

    /** Asks the model through the framework's tool loop, with one tool that takes one string. */
    protected abstract String askWithTool(M model, String question, Supplier<String> tool);

    /** Asks the model through what the framework offers for answers that are no text, and wants a number. */
    protected abstract int askForNumber(M model, String question);

    @ParameterizedTest
    @EnumSource
    @DisplayName("C4, C6: every ending of a call is booked as it is billed")
    @Row(provider = "every ending, see above", booked = "as it says there")
    void everyEndingIsBookedAsItIsBilled(Ending ending) throws InterruptedException {
        Cell cell = cell("ending-" + ending.scenario);

        cell.assertSame(
                spec -> sees(metered(spec.apply(ending.scenario).withTimeout(ending.timeout()))),
                spec -> sees(model(spec.apply(ending.scenario).withTimeout(ending.timeout()))));
        cell.awaitRequests(1);
        stub().release();

        cell.assertBooked(booking(ending.scenario, ending.booking), 1);
    }

    @Test
    @DisplayName("C6: a tool that throws changes nothing in what is booked")
    @Row(provider = "`tools-2`, and the tool throws", booked = "each round to the token")
    void aToolThatThrowsChangesNothing() {
        Cell cell = cell("tool-throws");
        Supplier<String> broken = () -> {
            throw new IllegalStateException("no forecast today");
        };

        cell.assertSame(
                spec -> seesWithTool(metered(spec.apply("tools-2")), broken),
                spec -> seesWithTool(model(spec.apply("tools-2")), broken));

        assertThat(cell.requests()).isPositive();
        cell.assertBooked(Booking.TO_THE_TOKEN, cell.requests());
    }

    @Test
    @DisplayName("C6: an answer that the framework cannot convert for the application is billed all the same")
    @Row(provider = "`ok`, where a number was wanted", booked = "to the token")
    void anAnswerThatCannotBeConvertedIsBilled() {
        Cell cell = cell("no-number");

        Outcome outcome = cell.assertSame(
                spec -> Outcome.of(() -> "" + askForNumber(metered(spec.apply("ok")), QUESTION)),
                spec -> Outcome.of(() -> "" + askForNumber(model(spec.apply("ok")), QUESTION)));

        assertThat(outcome.isAnswer()).as(outcome.text()).isFalse();
        cell.assertBooked(Booking.TO_THE_TOKEN, 1);
    }

    @Test
    @DisplayName("C1: a nested agent inside a tool is a call of its own")
    @Row(provider = "`tools-1`, and `ok` inside the tool", booked = "all three calls to the token")
    void aNestedAgentInsideAToolIsACallOfItsOwn() {
        Cell cell = cell("nested");
        M inner = metered(cell.spec("ok"));

        askWithTool(metered(cell.spec("tools-1")), QUESTION, () -> ask(inner, QUESTION));

        cell.assertBooked(Booking.TO_THE_TOKEN, 3);
    }

    @Test
    @DisplayName("C1: a nested agent with tools of its own, inside a tool")
    @Row(provider = "`tools-1`, and `tools-2` inside the tool", booked = "all five calls to the token")
    void aNestedAgentMayHaveToolsOfItsOwn() {
        Cell cell = cell("nested-loop");
        M inner = metered(cell.spec("tools-2"));

        askWithTool(metered(cell.spec("tools-1")), QUESTION, () -> askWithTool(inner, QUESTION, () -> "mild"));

        cell.assertBooked(Booking.TO_THE_TOKEN, 5);
    }

    @Test
    @DisplayName("C1, C6: a nested agent that fails is refunded, and the loop around it goes on")
    @Row(
            provider = "`tools-1`, and `error-500` inside the tool",
            booked = "two calls to the token, the failed one nothing")
    void aNestedAgentThatFailsIsRefunded() {
        Cell cell = cell("nested-failure");
        M inner = metered(cell.spec("error-500"));

        askWithTool(metered(cell.spec("tools-1")), QUESTION, () -> sees(inner).text());

        Booked booked = cell.booked();
        assertThat(booked.total()).isEqualTo(cell.billed().totalTokens());
        assertThat(booked.settled()).isEqualTo(2);
        assertThat(booked.refunded()).isEqualTo(1);
        cell.assertNothingIsLeft();
    }

    @Test
    @DisplayName("C7: retries inside the framework are one call")
    @Row(provider = "`error-500-once`", booked = "the answer to the token, as one call")
    void retriesInsideTheFrameworkAreOneCall() {
        Cell cell = cell("retry-inside");

        cell.assertSame(
                spec -> sees(metered(spec.apply("error-500-once").withRetries(1))),
                spec -> sees(model(spec.apply("error-500-once").withRetries(1))));

        assertThat(cell.requests()).isEqualTo(2);
        cell.assertBooked(Booking.TO_THE_TOKEN, 1);
    }

    @Test
    @DisplayName("C7: a retry outside the framework is a call of its own")
    @Row(provider = "`error-500-twice`", booked = "two calls nothing, the third to the token")
    void aRetryOutsideTheFrameworkIsACallOfItsOwn() {
        Cell cell = cell("retry-outside");
        M model = metered(cell.spec("error-500-twice"));

        List<Boolean> answered = new ArrayList<>();
        for (int attempt = 0; attempt < 3; attempt++) {
            answered.add(sees(model).isAnswer());
        }

        assertThat(answered).containsExactly(false, false, true);
        Booked booked = cell.booked();
        assertThat(booked.total()).isEqualTo(cell.billed().totalTokens());
        assertThat(booked.metered()).isEqualTo(3);
        assertThat(booked.refunded()).isEqualTo(2);
        assertThat(booked.settled()).isOne();
        cell.assertNothingIsLeft();
    }

    @Test
    @DisplayName("R2, C8: a budget that is used up refuses, and nothing reaches the provider")
    @Row(
            provider = "`ok` until the budget is used up",
            booked = "to the token; the refused call never reaches the provider")
    void aBudgetThatIsUsedUpRefuses() {
        Cell cell = cell("used-up");
        M model = metered(cell.spec("ok"));
        while (cell.booked().total() < LIMIT - 200) {
            ask(model, QUESTION);
        }
        cell.assertBooked(Booking.TO_THE_TOKEN, cell.requests());
        M longer = metered(cell.spec("ok"));
        int requests = cell.requests();

        assertThatThrownBy(() -> ask(longer, QUESTION + QUESTION + QUESTION))
                .satisfies(AccountingMatrix::isRefusal)
                .hasMessageContaining("model:" + cell.spec("ok").modelName())
                .hasMessageContaining(LIMIT + " tokens per 1h")
                .hasMessageContaining("try again in ")
                .hasNoCause();

        assertThat(cell.requests()).isEqualTo(requests);
        assertThat(cell.booked().refused()).isOne();
        cell.assertBooked(Booking.TO_THE_TOKEN, requests);
    }

    @Test
    @DisplayName("C8: a refusal inside a tool ends the run instead of being told to the model")
    @Row(
            provider = "`tools-1`, and a used-up budget inside the tool",
            booked = "the first round to the token; no other reaches the provider")
    void aRefusalInsideAToolEndsTheRun() {
        Cell innerCell = cell("used-up-in-tool");
        M inner = metered(innerCell.spec("ok"));
        useUp(innerCell, inner);
        Cell cell = cell("refused-in-tool");

        assertThatThrownBy(() ->
                        askWithTool(metered(cell.spec("tools-1")), QUESTION, () -> ask(inner, TOO_LONG_FOR_THE_REST)))
                .satisfies(AccountingMatrix::isRefusal);

        assertThat(cell.requests()).isOne();
        cell.assertBooked(Booking.TO_THE_TOKEN, 1);
        innerCell.assertNothingIsLeft();
    }

    @Test
    @DisplayName("R2, C2: a runaway tool loop ends when the budget is used up")
    @Row(provider = "`tools-forever`", booked = "each round to the token, up to the limit")
    void aRunawayToolLoopEnds() {
        Cell cell = cell("used-up-loop");
        M model = metered(cell.spec("tools-forever"));

        assertThatThrownBy(() -> askWithTool(model, QUESTION, () -> "mild")).satisfies(AccountingMatrix::isRefusal);

        assertThat(cell.booked().total()).isPositive().isLessThanOrEqualTo(LIMIT);
        assertThat(cell.booked().refused()).isOne();
        cell.assertBooked(Booking.TO_THE_TOKEN, cell.requests());
    }

    @Test
    @DisplayName("R2: several threads at once never go over")
    @Row(provider = "`slow-20ms`, 16 threads on a small budget", booked = "to the token, at most the limit")
    void severalThreadsAtOnceNeverGoOver() throws Exception {
        Cell cell = cell("used-up-race");
        M model = metered(cell.spec("slow-20ms"));

        List<Boolean> answered = inParallel(16, () -> sees(model).isAnswer());

        assertThat(answered).contains(true, false);
        assertThat(cell.booked().total()).isLessThanOrEqualTo(LIMIT);
        assertThat(cell.booked().refused()).isEqualTo(16 - cell.requests());
        cell.assertBooked(Booking.TO_THE_TOKEN, cell.requests());
    }

    /** Leaves room for no more than {@link #TOO_LONG_FOR_THE_REST} and its answer need. */
    private void useUp(Cell cell, M model) {
        while (cell.booked().total() < LIMIT - 200) {
            ask(model, QUESTION);
        }
    }

    @Override
    final Outcome sees(M model, String question) {
        return Outcome.of(() -> ask(model, question));
    }

    @Override
    final Outcome seesWithTool(M model, Supplier<String> tool) {
        return Outcome.of(() -> askWithTool(model, QUESTION, tool));
    }
}
