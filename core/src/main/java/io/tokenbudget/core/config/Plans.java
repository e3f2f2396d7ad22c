package io.tokenbudget.core.config;

import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.Money;
import io.tokenbudget.core.spi.Window;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How much more customers may use than the numbers that the rows say. Immutable.
 *
 * @param multipliers by the name of a plan, in the order of the configuration
 * @param byDefault the plan of callers of whom none is known, or one that is not named here; null for none
 */
public record Plans(
        Map<String, BigDecimal> multipliers, @Nullable String byDefault) {
    /** No plans: everybody goes by the rows as written. */
    public static final Plans NONE = new Plans(Map.of(), null);

    /** Kept for nobody in particular: what several customers share is not more for one of them. */
    private static final Set<String> SHARED = Set.of("global", "model", "agent", "tool");

    /** The plan of somebody of whom {@code named} is known; null for none. */
    public @Nullable String of(@Nullable String named) {
        return named != null && multipliers.containsKey(named) ? named : byDefault;
    }

    /** Whether limits of a scope of these dimensions are multiplied: of those that are kept for a customer or a part of one. */
    public static boolean multiply(List<String> dimensions) {
        return !SHARED.containsAll(dimensions);
    }

    /** {@code limits} as {@code plan} multiplies them, rounded up; what is unlimited stays so. */
    public List<Limit> times(List<Limit> limits, @Nullable String plan) {
        BigDecimal multiplier = plan == null ? null : multipliers.get(plan);
        return multiplier == null || multiplier.compareTo(BigDecimal.ONE) == 0
                ? limits
                : limits.stream().map(limit -> times(limit, multiplier)).toList();
    }

    private static Limit times(Limit limit, BigDecimal multiplier) {
        if (limit.unlimited()) {
            return limit;
        }
        BigDecimal product =
                BigDecimal.valueOf(limit.amount()).multiply(multiplier).setScale(0, RoundingMode.CEILING);
        long amount = product.min(BigDecimal.valueOf(Limit.MAX_AMOUNT)).longValueExact();
        return new Limit(amount, limit.unit(), limit.window(), text(amount, limit.unit(), limit.window()));
    }

    private static String text(long amount, LimitUnit unit, Window window) {
        String of = unit == LimitUnit.USD ? Money.text(amount) : amount + " " + unit;
        return window instanceof Window.Lifetime ? of : of + " per " + window;
    }
}
