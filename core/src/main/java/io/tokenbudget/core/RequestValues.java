package io.tokenbudget.core;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.config.IdentitySource.Extent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one HTTP request says of its caller by the configured sources, taken down when it is served: the request itself may be
 * gone, or another one's, by the time of a model call. Immutable.
 */
final class RequestValues {
    /** A handful at most. */
    private final IdentitySource[] sources;

    private final String[] values;

    private RequestValues(List<IdentitySource> sources, List<String> values) {
        this.sources = sources.toArray(IdentitySource[]::new);
        this.values = values.toArray(String[]::new);
    }

    /** A context that carries what {@code lookup} knows of {@code asked}; {@link BudgetContext#EMPTY} if that is nothing. */
    static BudgetContext context(List<IdentitySource> asked, Function<IdentitySource, @Nullable String> lookup) {
        List<IdentitySource> sources = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (IdentitySource source : asked) {
            String value = source.value(lookup);
            if (value != null) {
                sources.add(source);
                values.add(value);
            }
        }
        return sources.isEmpty()
                ? BudgetContext.EMPTY
                : BudgetContext.builder()
                        .request(new RequestValues(sources, values))
                        .build();
    }

    /** What the request of {@code context} said at {@code source}; null if it said nothing, or there is none. */
    static @Nullable String in(BudgetContext context, IdentitySource source) {
        return source.kind().extent() == Extent.REQUEST && context.request() instanceof RequestValues request
                ? request.value(source)
                : null;
    }

    private @Nullable String value(IdentitySource source) {
        for (int i = 0; i < sources.length; i++) {
            if (sources[i].equals(source)) {
                return values[i];
            }
        }
        return null;
    }
}
