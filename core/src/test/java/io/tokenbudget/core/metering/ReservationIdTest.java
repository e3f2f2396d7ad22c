package io.tokenbudget.core.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.Usage;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.config.IdentitySource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("C7 the reservation's id is in the diagnostic context while the call runs")
class ReservationIdTest {
    private static final String YAML = "budgets: [{scope: global, limits: [1000 tokens per 1h]}]";

    private final List<String> notices = new ArrayList<>();

    /** What a thread's diagnostic context is here. */
    private @Nullable String mdc;

    private boolean broken;

    private final Metering metering =
            new Metering(TokenLimiters.builder().yaml(YAML).build(), notices::add);
    private final CallMeter meter = metering.meter(
            new CallerSource() {
                @Override
                public BudgetContext current() {
                    return TokenBudgets.current();
                }

                @Override
                public @Nullable String value(IdentitySource source) {
                    return null;
                }

                @Override
                public @Nullable String reservation(@Nullable String reservation) {
                    if (broken) {
                        throw new IllegalStateException("no context today");
                    }
                    String before = mdc;
                    mdc = reservation;
                    return before;
                }
            },
            RefusalFactory.OWN);

    private Frame open(long tokens) {
        return meter.open(new Object(), () -> ModelCall.of("gpt", tokens, 1));
    }

    @Test
    void fromTheReserveToTheEndOfTheCall() {
        Frame frame = open(10);
        assertThat(mdc).isNotNull();
        metering.limiter.extend(Objects.requireNonNull(mdc), Duration.ofSeconds(1)); // throws if it is none
        frame.succeed(Usage.of(10, 1), 0, null);

        assertThat(mdc).isNull();
    }

    @Test
    void aCallInsideOfAnotherHasItsOwnAndGivesBackTheOuterOne() {
        Frame outer = open(10);
        String first = mdc;
        outer.enterTools();
        Frame inner = open(10);
        assertThat(mdc).isNotNull().isNotEqualTo(first);
        inner.fail(Failure.REJECTED, 0);

        assertThat(mdc).isEqualTo(first);
        outer.exitTools();
        outer.endRound(Usage.of(10, 1), 0);
        assertThat(outer.startRound(() -> ModelCall.of("gpt", 20, 1))).isNull();
        assertThat(mdc).as("each round has its own").isNotEqualTo(first);
        outer.succeed(Usage.of(20, 1), 0, null);
        assertThat(mdc).isNull();
    }

    @Test
    void whatTheApplicationHadThereComesBack() {
        mdc = "mine";
        open(10).succeed(Usage.of(10, 1), 0, null);

        assertThat(mdc).isEqualTo("mine");
    }

    @Test
    void aStreamSaysItUntilItsMethodHasReturned() throws Exception {
        Frame stream = meter.openStream(new Object(), () -> ModelCall.of("gpt", 10, 1));
        assertThat(mdc).isNotNull();
        stream.detach();
        assertThat(mdc).isNull();
        Thread elsewhere = new Thread(() -> stream.succeed(Usage.of(10, 1), 0, null));
        elsewhere.start();
        elsewhere.join();

        assertThat(mdc).isNull();
        assertThat(notices).isEmpty();
    }

    @Test
    void aRefusedCallHasNone() {
        assertThat(open(5_000).refusal()).isNotNull();

        assertThat(mdc).isNull();
    }

    @Test
    void C9_aContextThatCannotBeWrittenChangesNothing() {
        broken = true;
        open(10).succeed(Usage.of(10, 1), 0, null);

        assertThat(metering.report().calls().metered()).isEqualTo(1);
        assertThat(metering.report().calls().unmetered()).isZero();
        assertThat(notices).singleElement().asString().contains("saying which reservation is held");
    }
}
