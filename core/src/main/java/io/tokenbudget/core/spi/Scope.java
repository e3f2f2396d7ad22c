package io.tokenbudget.core.spi;

/**
 * One dimension's value, or one combination of values: what a budget is kept for.
 *
 * @param dimension {@code agent}, {@code global}, or several joined: {@code tenant/agent}
 * @param value {@code planner}; empty for {@code global}; {@code acme/agent:planner} for several
 */
public record Scope(String dimension, String value) {

    /** The one budget that every call falls under. */
    public static final Scope GLOBAL = new Scope("global", "");

    /** As users write it: {@code agent:planner}, {@code global}, {@code tenant:acme/agent:planner}. */
    @Override
    public String toString() {
        if (value.isEmpty()) {
            return dimension;
        }
        int slash = dimension.indexOf('/');
        return (slash < 0 ? dimension : dimension.substring(0, slash)) + ':' + value;
    }
}
