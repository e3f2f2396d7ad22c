package io.tokenbudget.core.memory;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.RefusalReason;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.RefusalText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Why and how long a limit refuses, taken down under the lock and made into an exception outside of it.
 *
 * @param retryAfterMillis {@link Meter#NEVER} if waiting does not help
 */
record Refusal(
        String scope,
        String limit,
        String unit,
        long requested,
        long remaining,
        long retryAfterMillis,
        RefusalReason reason) {

    /** @param growing the hold that is to grow by {@code amount}; {@link Holds#NONE} for a new one */
    static Refusal of(Account account, Meter meter, Holds holds, long now, long amount, int growing) {
        LimitUnit unit = meter.limit.unit();
        long whole = growing == Holds.NONE ? amount : Amounts.add(amount, holds.amount(growing, unit));
        boolean neverFits = whole > meter.limit.amount();
        long fitsAt = neverFits ? Meter.NEVER : meter.fitsAt(now, account, holds, amount, growing);
        return new Refusal(
                account.scope.toString(),
                meter.limit.text(),
                unit.toString(),
                neverFits ? whole : amount,
                meter.remaining(now, account.held(unit)),
                fitsAt == Meter.NEVER ? Meter.NEVER : fitsAt - now,
                neverFits ? RefusalReason.NEVER_FITS : RefusalReason.LIMIT_REACHED);
    }

    boolean waitsLongerThan(Refusal other) {
        if (retryAfterMillis != other.retryAfterMillis) {
            return retryAfterMillis > other.retryAfterMillis;
        }
        return reason == RefusalReason.NEVER_FITS && other.reason != RefusalReason.NEVER_FITS;
    }

    LimitExceededException toException() {
        @Nullable Duration retryAfter = retryAfterMillis == Meter.NEVER ? null : Duration.ofMillis(retryAfterMillis);
        String message =
                RefusalText.scope(scope) + ": " + (reason == RefusalReason.NEVER_FITS ? tooLarge() : full(retryAfter));
        return new LimitExceededException(message, scope, limit, requested, remaining, retryAfter, reason);
    }

    private String tooLarge() {
        String call = countsTokens() ? requestedTokens() + ", " : "one call is ";
        return call + "more than the whole limit of " + limit + ": it will never fit";
    }

    private String full(@Nullable Duration retryAfter) {
        String amounts = countsTokens() ? ": " + requestedTokens() + ", " + remaining + " remaining" : "";
        String advice = retryAfter == null ? "waiting will not help" : "try again in " + RefusalText.wait(retryAfter);
        return "limit of " + limit + " reached" + amounts + "; " + advice;
    }

    /** Of every other unit a call takes one, and a limit that refuses it has none left. */
    private boolean countsTokens() {
        return unit.endsWith("tokens");
    }

    private String requestedTokens() {
        return requested + " " + (requested == 1 ? unit.substring(0, unit.length() - 1) : unit) + " requested";
    }
}
