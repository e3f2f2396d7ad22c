package io.tokenbudget.testkit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.core.spi.HoldRequest;
import io.tokenbudget.core.spi.Ledger;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.Scope;
import io.tokenbudget.testkit.FakeClock;
import io.tokenbudget.testkit.ledger.Steps.Step;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * The model-based contract of a ledger: random interleavings of all operations on one thread, with a clock that the test
 * moves, compared after each step with a slow and obvious reference. A store proves itself with a subclass.
 *
 * <p>Covers R1 to R7, R9 to R11, R13 and R14.
 */
public abstract class LedgerContract {
    private static final Duration REMEMBER = Duration.ofMinutes(10);
    private static final int REMEMBER_AT_MOST = 5;

    /** An empty ledger on {@code clock}. */
    protected abstract Ledger newLedger(InstantSource clock, Duration remember, int rememberAtMost);

    /** Every operation of every kind leaves the ledger as the rules say. */
    @Property(tries = 2500)
    void behavesLikeTheReferenceAfterEveryStep(
            @ForAll("configurations") Map<Scope, List<Limit>> limits, @ForAll("steps") List<Step> steps) {
        Twin twin = newTwin();
        twin.limits.putAll(limits);
        for (Step step : steps) {
            step.on(twin);
        }
    }

    /** R2, R3: runs inside of runs spend what is held up front, and what they leave comes back to those around them. */
    @Property(tries = 2500)
    void R2_R3_whatIsHeldUpFrontIsSpentByThoseInsideAndTheRestComesBack(
            @ForAll("tokenLimits") Map<Scope, List<Limit>> limits, @ForAll("stepsUpFront") List<Step> steps) {
        behavesLikeTheReferenceAfterEveryStep(limits, steps);
    }

    /** R11: whoever waits exactly as long as a refusal says, and meets nobody, gets in; a moment less is too short. */
    @Property(tries = 2500)
    void R11_waitingExactlyTheRetryAfterSucceedsAndAMomentLessDoesNot(
            @ForAll("configurations") Map<Scope, List<Limit>> limits, @ForAll("steps") List<Step> steps) {
        Twin twin = newTwin();
        twin.limits.putAll(limits);
        for (Step step : steps) {
            boolean clockGoesBack = step instanceof Steps.Wait wait && wait.by().isNegative();
            if (!(step instanceof Steps.Reserve reserve)) {
                if (!clockGoesBack) {
                    step.on(twin);
                }
                continue;
            }
            HoldRequest request =
                    reserve.request(twin, null, twin.heldUpFrontAlone(reserve.within()), HoldRequest.Admission.ENFORCE);
            LimitExceededException refusal = twin.reserve(request);
            Duration retryAfter = refusal == null ? null : refusal.retryAfter();
            if (retryAfter != null) {
                twin.clock.advance(retryAfter.minusMillis(1));
                assertThat(twin.reserve(request)).as("a millisecond early").isNotNull();
                twin.clock.advance(Duration.ofMillis(1));
                assertThat(twin.reserve(request)).as("in time").isNull();
            }
        }
    }

    @Provide
    Arbitrary<Map<Scope, List<Limit>>> configurations() {
        return Steps.configuration();
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Steps.any().list().ofMinSize(1).ofMaxSize(60);
    }

    @Provide
    Arbitrary<Map<Scope, List<Limit>>> tokenLimits() {
        return Steps.tokenLimits();
    }

    @Provide
    Arbitrary<List<Step>> stepsUpFront() {
        return Steps.upFront().list().ofMinSize(3).ofMaxSize(40);
    }

    private Twin newTwin() {
        FakeClock clock = FakeClock.atNewYear();
        return new Twin(
                newLedger(clock, REMEMBER, REMEMBER_AT_MOST), new ReferenceLedger(REMEMBER, REMEMBER_AT_MOST), clock);
    }
}
