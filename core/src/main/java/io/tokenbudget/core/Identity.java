package io.tokenbudget.core;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.config.IdentitySource.Extent;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Fills in what a context does not say from the configured sources. Immutable; sources are read at each call. */
final class Identity {
    /** No dimension, and found like one. */
    private static final String PLAN = "plan";

    private final String[] dimensions;
    private final IdentitySource[][] sources;
    private final List<IdentitySource> ofRequests;

    Identity(Map<String, List<IdentitySource>> configured) {
        this.dimensions = configured.keySet().toArray(String[]::new);
        this.sources = new IdentitySource[dimensions.length][];
        for (int i = 0; i < dimensions.length; i++) {
            sources[i] = configured.getOrDefault(dimensions[i], List.of()).toArray(IdentitySource[]::new);
        }
        this.ofRequests = configured.values().stream()
                .flatMap(List<IdentitySource>::stream)
                .filter(source -> source.kind().extent() == Extent.REQUEST)
                .distinct()
                .toList();
    }

    /** A context that carries what a request says of its caller by the sources that read requests, and nothing else. */
    BudgetContext ofRequest(Function<IdentitySource, @Nullable String> lookup) {
        return ofRequests.isEmpty() ? BudgetContext.EMPTY : RequestValues.context(ofRequests, lookup);
    }

    /**
     * {@code context} with every dimension that a source has a value for; what it says itself stays.
     *
     * @param lookup reads the sources that are neither the process's nor the request's
     */
    BudgetContext complete(BudgetContext context, Function<IdentitySource, @Nullable String> lookup) {
        BudgetContext.Builder completed = null;
        for (int i = 0; i < dimensions.length; i++) {
            String dimension = dimensions[i];
            if (said(dimension, context) != null) {
                continue;
            }
            String value = first(sources[i], context, lookup);
            if (value != null) {
                completed = completed == null ? context.toBuilder() : completed;
                say(dimension, value, completed);
            }
        }
        return completed == null ? context : completed.build();
    }

    private static @Nullable String said(String dimension, BudgetContext context) {
        return dimension.equals(PLAN) ? context.plan() : context.dimension(dimension);
    }

    private static void say(String dimension, String value, BudgetContext.Builder completed) {
        if (dimension.equals(PLAN)) {
            completed.plan(value);
        } else {
            completed.dimension(dimension, value);
        }
    }

    /**
     * {@code context} with what its request and {@code lookup} say; a dimension that a source of the process names has no
     * value, because that is the same for every caller. A plan has: it names nobody.
     */
    BudgetContext completeOfCaller(BudgetContext context, Function<IdentitySource, @Nullable String> lookup) {
        BudgetContext.Builder completed = context.toBuilder();
        for (int i = 0; i < dimensions.length; i++) {
            String value = null;
            if (dimensions[i].equals(PLAN) && context.plan() == null) {
                value = first(sources[i], context, lookup);
            } else if (said(dimensions[i], context) == null) {
                value = firstOfCaller(sources[i], context, lookup);
            }
            if (value != null) {
                say(dimensions[i], value, completed);
            }
        }
        return completed.build();
    }

    private static @Nullable String firstOfCaller(
            IdentitySource[] candidates, BudgetContext context, Function<IdentitySource, @Nullable String> lookup) {
        for (IdentitySource source : candidates) {
            String value = first(new IdentitySource[] {source}, context, lookup);
            if (value != null) {
                return source.kind().extent() == Extent.PROCESS ? null : value;
            }
        }
        return null;
    }

    private static @Nullable String first(
            IdentitySource[] candidates, BudgetContext context, Function<IdentitySource, @Nullable String> lookup) {
        for (IdentitySource source : candidates) {
            String value =
                    source.kind().extent() == Extent.REQUEST ? RequestValues.in(context, source) : source.value(lookup);
            if (value != null) {
                return value;
            }
        }
        return null;
    }
}
