package io.tokenbudget.core;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.config.IdentitySource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Fills in what a context does not say from the configured sources. Immutable; sources are read at each call. */
final class Identity {
    private final String[] dimensions;
    private final IdentitySource[][] sources;

    Identity(Map<String, List<IdentitySource>> configured) {
        this.dimensions = configured.keySet().toArray(String[]::new);
        this.sources = new IdentitySource[dimensions.length][];
        for (int i = 0; i < dimensions.length; i++) {
            sources[i] = configured.getOrDefault(dimensions[i], List.of()).toArray(IdentitySource[]::new);
        }
    }

    /** {@code context} with every dimension that a source has a value for; what it says itself stays. */
    BudgetContext complete(BudgetContext context, Function<String, @Nullable String> mdc) {
        BudgetContext.Builder completed = null;
        for (int i = 0; i < dimensions.length; i++) {
            String dimension = dimensions[i];
            if (context.dimension(dimension) != null) {
                continue;
            }
            String value = first(sources[i], mdc);
            if (value != null) {
                completed = completed == null ? context.toBuilder() : completed;
                completed.dimension(dimension, value);
            }
        }
        return completed == null ? context : completed.build();
    }

    private static @Nullable String first(IdentitySource[] candidates, Function<String, @Nullable String> mdc) {
        for (IdentitySource source : candidates) {
            String value = source.value(mdc);
            if (value != null) {
                return value;
            }
        }
        return null;
    }
}
