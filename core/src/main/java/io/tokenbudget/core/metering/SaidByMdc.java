package io.tokenbudget.core.metering;

import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.config.IdentitySource.Kind;
import io.tokenbudget.core.config.Settings;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the application says of its caller by the {@code mdc:} sources of the dimensions that budgets are kept for. Immutable;
 * the sources are read at each call.
 */
final class SaidByMdc {
    private final String[] dimensions;
    private final List<List<IdentitySource>> sources;

    SaidByMdc(Settings settings) {
        List<String> spoken = MdcSources.dimensions(settings);
        this.dimensions = spoken.toArray(String[]::new);
        this.sources = spoken.stream()
                .map(dimension -> settings.identity().getOrDefault(dimension, List.of()))
                .toList();
    }

    /** The value of each dimension on this thread; null where the MDC has none, or another source comes before it. */
    @Nullable
    String[] now(Function<String, @Nullable String> mdc) {
        @Nullable String[] values = new @Nullable String[dimensions.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(i, mdc);
        }
        return values;
    }

    /**
     * Whether this thread, which was let work for {@code run}, has been told since that another one calls. A value that it
     * had before is none that was told: pooled threads keep those of others. One of the run's own caller is no other.
     */
    @SuppressWarnings("ReferenceEquality") // an equal value in another object has been put there since
    boolean isOfAnotherThan(Run run, Function<String, @Nullable String> mdc) {
        @Nullable String[] entered = run.saidAtEntry();
        if (entered == null) {
            return false;
        }
        @Nullable String[] begun = run.saidAtBegin();
        for (int i = 0; i < dimensions.length; i++) {
            String value = value(i, mdc);
            if (value != null
                    && value != entered[i]
                    && !value.equals(begun[i])
                    && !value.equals(run.context().dimension(dimensions[i]))) {
                return true;
            }
        }
        return false;
    }

    private @Nullable String value(int dimension, Function<String, @Nullable String> mdc) {
        List<IdentitySource> candidates = sources.get(dimension);
        for (int i = 0; i < candidates.size(); i++) {
            IdentitySource source = candidates.get(i);
            String value = source.value(mdc);
            if (value != null) {
                return source.kind() == Kind.MDC ? value : null;
            }
        }
        return null;
    }
}
