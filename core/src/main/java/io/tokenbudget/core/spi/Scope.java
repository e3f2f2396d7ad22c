package io.tokenbudget.core.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One dimension's value, or one combination of values: what a budget is kept for.
 *
 * @param dimension {@code agent}, {@code global}, or several joined: {@code tenant/agent}
 * @param value {@code planner}; empty for {@code global}; {@code acme/agent:planner} for several
 */
public record Scope(String dimension, String value) {

    /** The one budget that every call falls under. */
    public static final Scope GLOBAL = new Scope("global", "");

    private static final String MODEL = "model";

    /**
     * The value of a joined scope. Different values never make the same text, whatever characters they contain.
     *
     * @param dimensions at least two; {@code model}, if it is among them, comes last
     * @param values one for each dimension
     */
    public static String join(List<String> dimensions, List<String> values) {
        StringBuilder joined = new StringBuilder(written(dimensions.get(0), values.get(0)));
        for (int i = 1; i < dimensions.size(); i++) {
            joined.append('/').append(dimensions.get(i)).append(':').append(written(dimensions.get(i), values.get(i)));
        }
        return joined.toString();
    }

    /** The value of {@code single}, one dimension of this scope, as it is written in {@link #toString}; null if it is none. */
    public @Nullable String valueOf(String single) {
        if (dimension.equals(single)) {
            return written(dimension, value);
        }
        int from = dimension.startsWith(single + '/') ? 0 : -1;
        if (from < 0) {
            String inside = '/' + single + ':';
            int at = List.of(dimension.split("/", -1)).contains(single) ? value.indexOf(inside) : -1;
            from = at < 0 ? -1 : at + inside.length();
        }
        if (from < 0) {
            return null;
        }
        int end = single.equals(MODEL) ? -1 : value.indexOf('/', from);
        return value.substring(from, end < 0 ? value.length() : end);
    }

    /** As users write it: {@code agent:planner}, {@code global}, {@code tenant:acme/agent:planner}. */
    @Override
    public String toString() {
        if (value.isEmpty()) {
            return dimension;
        }
        int slash = dimension.indexOf('/');
        return slash < 0 ? dimension + ':' + written(dimension, value) : dimension.substring(0, slash) + ':' + value;
    }

    /** With a slash of the value as {@code %2F}, because slashes join; not in a model's, which comes last. */
    private static String written(String dimension, String value) {
        String written = value.indexOf('%') < 0 ? value : value.replace("%2", "%252");
        return dimension.equals(MODEL) || written.indexOf('/') < 0 ? written : written.replace("/", "%2F");
    }

    // Written out because they are on the path of every call: both texts keep their hash.
    @Override
    public int hashCode() {
        return 31 * dimension.hashCode() + value.hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof Scope that && value.equals(that.value) && dimension.equals(that.dimension));
    }
}
