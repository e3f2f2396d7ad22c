package io.tokenbudget.core;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.config.IdentitySource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Fills in what a context does not say from the configured sources. Immutable; sources are read at each call. */
final class Identity {
    private final Map<String, List<IdentitySource>> sources;

    Identity(Map<String, List<IdentitySource>> sources) {
        this.sources = sources;
    }

    /** {@code context} with every dimension that a source has a value for; what it says itself stays. */
    BudgetContext complete(BudgetContext context, Function<String, @Nullable String> mdc) {
        BudgetContext.Builder completed = null;
        for (Map.Entry<String, List<IdentitySource>> entry : sources.entrySet()) {
            String dimension = entry.getKey();
            if (context.dimension(dimension) != null) {
                continue;
            }
            String value = first(entry.getValue(), mdc);
            if (value != null) {
                completed = completed == null ? context.toBuilder() : completed;
                completed.dimension(dimension, value);
            }
        }
        return completed == null ? context : completed.build();
    }

    private static @Nullable String first(List<IdentitySource> candidates, Function<String, @Nullable String> mdc) {
        for (IdentitySource source : candidates) {
            String value = switch (source.kind()) {
                case LITERAL -> source.name();
                case PROPERTY -> System.getProperty(source.name());
                case ENV -> System.getenv(source.name());
                case MDC -> mdc.apply(source.name());
            };
            if (value != null && !value.isBlank()) {
                return value;
            }
        }
        return null;
    }
}
