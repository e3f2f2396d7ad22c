package io.tokenbudget.core.metering;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.spi.Limit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What application code says of a run that it begins.
 *
 * @param context who calls; what it does not say is taken from the run around it, or from the configured sources
 * @param ceilings what the run may use at most, beside what the configuration says
 * @param limited the dimension that {@code limits} are for; null if there are none
 * @param limits of the value which {@code limited} has in {@code context}; in force where the configuration says nothing of
 *     it
 * @param of what it is a run of: one that only its key names is told from other runs with that key by this; null if nothing
 *     has such names
 * @param begunBy what {@link Run#begunBy} says, for whoever begins it to know it by; null for nothing
 */
public record RunTerms(
        BudgetContext context,
        List<Limit> ceilings,
        @Nullable String limited,
        List<Limit> limits,
        @Nullable String of,
        @Nullable Object begunBy) {

    /** Only who calls. */
    public static RunTerms of(BudgetContext context) {
        return new RunTerms(context, List.of(), null, List.of(), null, null);
    }
}
