package io.tokenbudget.core.memory;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.RefusalReason;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.Money;
import io.tokenbudget.core.spi.Price;
import io.tokenbudget.core.spi.RefusalText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Why and how long a limit refuses, taken down under the lock and made into an exception outside of it.
 *
 * @param unknown the model whose price is not known; null if that is not why
 * @param retryAfterMillis {@link Meter#NEVER} if waiting does not help
 */
record Refusal(
        String scope,
        String limit,
        LimitUnit unit,
        @Nullable String unknown,
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
                unit,
                null,
                neverFits ? whole : amount,
                meter.remaining(now, account.held(unit)),
                fitsAt == Meter.NEVER ? Meter.NEVER : fitsAt - now,
                neverFits ? RefusalReason.NEVER_FITS : RefusalReason.LIMIT_REACHED);
    }

    /** @param price one that is not known */
    static Refusal ofUnknownPrice(Account account, Meter meter, long now, Price price) {
        LimitUnit unit = meter.limit.unit();
        return new Refusal(
                account.scope.toString(),
                meter.limit.text(),
                unit,
                price.unknownModel(),
                0,
                meter.remaining(now, account.held(unit)),
                Meter.NEVER,
                RefusalReason.UNKNOWN_PRICE);
    }

    boolean waitsLongerThan(Refusal other) {
        if (retryAfterMillis != other.retryAfterMillis) {
            return retryAfterMillis > other.retryAfterMillis;
        }
        return reason.compareTo(other.reason) > 0;
    }

    LimitExceededException toException() {
        @Nullable Duration retryAfter = retryAfterMillis == Meter.NEVER ? null : Duration.ofMillis(retryAfterMillis);
        String why = switch (reason) {
            case NEVER_FITS -> tooLarge();
            case UNKNOWN_PRICE -> withoutPrice();
            case LIMIT_REACHED -> full(retryAfter);
        };
        String message = RefusalText.scope(scope) + ": " + why;
        return new LimitExceededException(message, scope, limit, requested, remaining, retryAfter, reason);
    }

    private String tooLarge() {
        String call = comesInAmounts() ? requestedAmount() + ", " : "one call is ";
        return call + "more than the whole limit of " + limit + ": it will never fit";
    }

    private String full(@Nullable Duration retryAfter) {
        String amounts = comesInAmounts() ? ": " + requestedAmount() + ", " + amount(remaining) + " remaining" : "";
        String advice = retryAfter == null ? "waiting will not help" : "try again in " + RefusalText.wait(retryAfter);
        return "limit of " + limit + " reached" + amounts + "; " + advice;
    }

    /** Of every other unit a call takes one, and a limit that refuses it has none left. */
    private boolean comesInAmounts() {
        return unit == LimitUnit.USD || unit.toString().endsWith("tokens");
    }

    private String requestedAmount() {
        String of = unit.toString();
        String name = unit == LimitUnit.USD ? "" : ' ' + (requested == 1 ? of.substring(0, of.length() - 1) : of);
        return amount(requested) + name + " requested";
    }

    private String amount(long of) {
        return unit == LimitUnit.USD ? Money.text(of) : Long.toString(of);
    }

    private String withoutPrice() {
        String of = unknown == null || unknown.isEmpty()
                ? "a call that names no model"
                : "model \"" + RefusalText.scope(unknown) + '"';
        return "limit of " + limit + " needs to know what a call costs, and no price is known of " + of
                + "; add it under prices, or set unknown-price: ignore";
    }
}
