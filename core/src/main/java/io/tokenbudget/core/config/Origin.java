package io.tokenbudget.core.config;

/**
 * Where a value was written.
 *
 * @param source the file's name, or {@code system property token-budget.hold}
 * @param line counted from 1, or 0 where there are no lines
 */
record Origin(String source, int line) {
    /** Nowhere: the value is the default. */
    static final Origin DEFAULT = new Origin("default", 0);

    /** {@code budgets.yaml:3}. */
    @Override
    public String toString() {
        return line > 0 ? source + ':' + line : source;
    }
}
