package io.tokenbudget.core;

import io.tokenbudget.core.spi.BudgetRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is said of a hold beside its request. Immutable.
 *
 * @param budgets that it falls under and that the configuration does not name: {@link DefaultTokenLimiter#budget}
 * @param upFront the id of what is {@linkplain DefaultTokenLimiter#reserveUpFront held up front}, to draw from; null for
 *     nothing
 * @param goesOnAfter input tokens of the call of which this is a later part, so that only its tokens cost money; negative for
 *     a call of its own
 */
public record HoldTerms(List<BudgetRef> budgets, @Nullable String upFront, long goesOnAfter) {
    private static final int A_CALL = -1;

    /** A call of its own under the configured budgets alone. */
    public static final HoldTerms NONE = new HoldTerms(List.of(), null);

    /** For a call of its own. */
    public HoldTerms(List<BudgetRef> budgets, @Nullable String upFront) {
        this(budgets, upFront, A_CALL);
    }

    /** These for a later part of a call that had so many input tokens. */
    public HoldTerms goingOnAfter(long inputTokens) {
        return new HoldTerms(budgets, upFront, inputTokens);
    }

    boolean goesOn() {
        return goesOnAfter >= 0;
    }
}
