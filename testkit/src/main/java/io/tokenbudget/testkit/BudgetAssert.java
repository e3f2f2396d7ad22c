package io.tokenbudget.testkit;

import io.tokenbudget.BudgetStatus;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/** Assertions on one limit of one budget. */
public final class BudgetAssert extends AbstractAssert<BudgetAssert, BudgetStatus> {

    BudgetAssert(@Nullable BudgetStatus actual) {
        super(actual, BudgetAssert.class);
    }

    /** Fails unless exactly {@code expected} is booked. */
    public BudgetAssert hasUsed(long expected) {
        return has("used", actual.used(), expected);
    }

    /** Fails unless exactly {@code expected} is held. */
    public BudgetAssert hasHeld(long expected) {
        return has("held", actual.held(), expected);
    }

    /** Fails unless exactly {@code expected} is left. */
    public BudgetAssert hasRemaining(long expected) {
        return has("remaining", actual.remaining(), expected);
    }

    private BudgetAssert has(String what, long found, long expected) {
        isNotNull();
        if (found != expected) {
            throw failureWithActualExpected(
                    found,
                    expected,
                    "Expected %s %s to have %s %s but it has %s",
                    actual.scope(),
                    actual.unit(),
                    what,
                    expected,
                    found);
        }
        return this;
    }
}
