package io.tokenbudget.core.metering;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.config.IdentitySource.Extent;
import io.tokenbudget.core.config.IdentityValue;
import io.tokenbudget.core.config.Settings;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the application says of its caller by the sources of the thread ({@code mdc:}, {@code baggage:}) for the dimensions
 * that budgets are kept for. Immutable; the sources are read at each call.
 */
final class SaidByThread {
    private final String[] dimensions;
    private final List<List<IdentitySource>> sources;

    SaidByThread(Settings settings) {
        List<String> spoken = ThreadSources.dimensions(settings);
        this.dimensions = spoken.toArray(String[]::new);
        this.sources = spoken.stream()
                .map(dimension -> settings.identity().getOrDefault(dimension, List.of()))
                .toList();
    }

    /**
     * The value of each dimension on this thread, as it stands there; null where it has none, or another source comes before
     * it.
     *
     * @param context whose request is asked for what comes before
     */
    @Nullable
    String[] now(BudgetContext context, Function<IdentitySource, @Nullable String> lookup) {
        @Nullable String[] values = new @Nullable String[dimensions.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(i, context, lookup);
        }
        return values;
    }

    /**
     * Whether this thread, which was let work for {@code run}, has been told since that another one calls. A value that it
     * had before is none that was told: pooled threads keep those of others. One of the run's own caller is no other.
     */
    @SuppressWarnings("ReferenceEquality") // an equal value in another object has been put there since
    boolean isOfAnotherThan(Run run, Function<IdentitySource, @Nullable String> lookup) {
        @Nullable String[] entered = run.saidAtEntry();
        if (entered == null) {
            return false;
        }
        @Nullable String[] begun = run.saidAtBegin();
        for (int i = 0; i < dimensions.length; i++) {
            String value = value(i, run.context(), lookup);
            if (value != null
                    && value != entered[i]
                    && !value.equals(begun[i])
                    && !Objects.equals(IdentityValue.of(value), run.context().dimension(dimensions[i]))) {
                return true;
            }
        }
        return false;
    }

    private @Nullable String value(
            int dimension, BudgetContext context, Function<IdentitySource, @Nullable String> lookup) {
        List<IdentitySource> candidates = sources.get(dimension);
        for (int i = 0; i < candidates.size(); i++) {
            IdentitySource source = candidates.get(i);
            Extent extent = source.kind().extent();
            String value =
                    extent == Extent.REQUEST ? DefaultTokenLimiter.saidByRequest(context, source) : source.raw(lookup);
            if (value != null) {
                return extent == Extent.THREAD ? value : null;
            }
        }
        return null;
    }
}
