package io.tokenbudget.spring.boot;

import io.tokenbudget.core.config.ConfigurationException;
import io.tokenbudget.core.config.LoadedSettings;
import io.tokenbudget.core.config.MapSettings;
import io.tokenbudget.core.config.Settings;
import io.tokenbudget.core.spi.HoldRequest.Admission;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * What the application's configuration says under {@code token-budget}, and what its operator has to know about it. Immutable.
 *
 * @param settings in force; if the configuration is broken, or there is none, such that only observe
 * @param problems one line each; empty if the configuration can be used
 * @param lines for the operator at start-up, warnings included
 * @param isWritten whether there is any configuration
 */
record StarterSettings(Settings settings, List<String> problems, List<String> lines, boolean isWritten) {
    /** What everything stands under. */
    static final String PREFIX = "token-budget";

    private static final String SOURCE = "token-budget in the application's configuration";

    /** Reads it; does not throw, neither for what the application has written nor for a fault of ours. */
    static StarterSettings read(Environment environment) {
        try {
            return readWritten(environment);
        } catch (RuntimeException | LinkageError fault) {
            return unusable(List.of(SOURCE + " cannot be read: " + fault));
        }
    }

    private static StarterSettings readWritten(Environment environment) {
        List<String> problems = new ArrayList<>();
        try {
            ConfiguredKeys keys = ConfiguredKeys.in(environment);
            keys.problems().forEach((key, problem) -> problems.add(SOURCE + ": " + key + ": " + problem));
            if (keys.isEmpty()) {
                return observing(
                        "observes and refuses nothing: there is no token-budget in the application's configuration",
                        keys.warnings());
            }
            LoadedSettings loaded = MapSettings.load(keys.nested(), SOURCE, keys.plain()::get);
            if (problems.isEmpty()) {
                return usable(loaded, keys.warnings());
            }
        } catch (ConfigurationException wrong) {
            wrong.problems().forEach(problem -> problems.add(problem.toString()));
        } catch (BindException wrong) {
            problems.add(SOURCE + ": " + wrong.getName() + ": " + rootMessage(wrong));
        }
        return unusable(problems);
    }

    /**
     * The same where another limiter than that of this configuration is in force.
     *
     * @param around what has been read in the context above, of which this one repeats what it does not say itself; null if
     *     nothing has
     */
    StarterSettings notInForce(@Nullable StarterSettings around) {
        boolean saysSomething = isWritten && (around == null || !isSameAs(around));
        return new StarterSettings(
                settings,
                List.of(),
                saysSomething
                        ? List.of(
                                "what is written here is not in force: the limiter is the application's own, or that of"
                                        + " the context above")
                        : List.of(),
                isWritten);
    }

    private boolean isSameAs(StarterSettings other) {
        return settings.equals(other.settings) && problems.equals(other.problems);
    }

    /** A number of the starter's own; what cannot be read counts as not there. */
    static int number(Environment environment, String key, int byDefault) {
        try {
            return Binder.get(environment)
                    .bind(PREFIX + '.' + key, Integer.class)
                    .orElse(byDefault);
        } catch (RuntimeException notANumber) {
            return byDefault;
        }
    }

    private static StarterSettings usable(LoadedSettings loaded, List<String> warnings) {
        Settings settings = loaded.settings();
        int rows = settings.budgets().size();
        List<String> lines = new ArrayList<>();
        lines.add((settings.mode() == Admission.ENFORCE ? "is ready to enforce " : "observes and refuses nothing: ")
                + rows
                + (rows == 1 ? " budget row" : " budget rows"));
        lines.addAll(warnings);
        lines.addAll(loaded.warnings());
        if (settings.statusPort() != 0) {
            lines.add(
                    "status.port is the agent's and is ignored here: the actuator's endpoint tokenbudgets says the same");
        }
        return new StarterSettings(settings, List.of(), List.copyOf(lines), true);
    }

    private static StarterSettings unusable(List<String> problems) {
        StarterSettings observing = observing(
                "NOTHING IS ENFORCED: the configuration cannot be used, calls pass and are only"
                        + " counted: "
                        + String.join("; ", problems),
                List.of());
        return new StarterSettings(observing.settings, List.copyOf(problems), observing.lines, true);
    }

    private static StarterSettings observing(String line, List<String> warnings) {
        List<String> lines = new ArrayList<>(List.of(line));
        lines.addAll(warnings);
        return new StarterSettings(Settings.DEFAULT.withMode(Admission.OBSERVE), List.of(), List.copyOf(lines), false);
    }

    private static String rootMessage(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }
}
