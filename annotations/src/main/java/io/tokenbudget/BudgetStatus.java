package io.tokenbudget;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One limit of one budget at one moment. Immutable. Amounts are of the unit; those of {@code usd} are nano-USD.
 *
 * @param scope the budget, such as {@code tenant:acme}
 * @param unit what is limited, such as {@code tokens} or {@code requests}
 * @param window over which time: {@code 1h}, {@code calendar day}, or null where the limit has none
 * @param limit the most that may be used and held; {@link Long#MAX_VALUE} if unlimited
 * @param used booked in the present window
 * @param held by reservations under way
 * @param remaining limit less used and held, at least zero; {@link Long#MAX_VALUE} if unlimited
 * @param resetsAt when everything used now will have left the window, or null if nothing is used or it never will
 * @param unlimited whether the configuration says {@code unlimited}
 */
public record BudgetStatus(
        String scope,
        String unit,
        @Nullable String window,
        long limit,
        long used,
        long held,
        long remaining,
        @Nullable Instant resetsAt,
        boolean unlimited) {}
