package io.tokenbudget.core.config;

import java.util.List;

/** A configuration that cannot be used, with everything that is wrong in it. */
public final class ConfigurationException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    /** @param problems at least one */
    public ConfigurationException(List<Problem> problems) {
        super(String.join(
                System.lineSeparator(), problems.stream().map(Problem::toString).toList()));
        this.problems = List.copyOf(problems);
    }

    /** Everything that is wrong, in the order of the file. */
    public List<Problem> problems() {
        return problems;
    }

    /**
     * @param source the file's name, or the property's
     * @param line counted from 1, or 0 where there are no lines
     * @param key the path to the value, such as {@code budgets[2].limits[0]}; empty for the whole
     * @param message what was found and what is allowed
     */
    public record Problem(String source, int line, String key, String message) {
        /** {@code budgets.yaml:12: budgets[2].scope: found …; allowed: …}. */
        @Override
        public String toString() {
            return source + (line > 0 ? ":" + line : "") + ": " + (key.isEmpty() ? "" : key + ": ") + message;
        }
    }
}
