package io.tokenbudget.core.config;

import io.tokenbudget.core.config.ConfigurationException.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/** Collects everything that is wrong. Not thread-safe. */
final class Problems {
    private final List<Problem> found = new ArrayList<>();

    void add(Origin origin, String key, String message) {
        found.add(new Problem(origin.source(), origin.line(), key, message));
    }

    /** Hands {@code text} to {@code reader} and notes what it objects to. */
    void read(Origin origin, String key, String text, Consumer<String> reader) {
        try {
            reader.accept(text);
        } catch (InvalidValueException invalid) {
            add(origin, key, String.valueOf(invalid.getMessage()));
        }
    }

    /**
     * @throws ConfigurationException if anything is wrong: the file's problems in its order, then the others
     */
    void throwIfAny() {
        if (!found.isEmpty()) {
            found.sort(Comparator.comparingInt(problem -> problem.line() == 0 ? Integer.MAX_VALUE : problem.line()));
            throw new ConfigurationException(found);
        }
    }
}
