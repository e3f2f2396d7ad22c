package io.tokenbudget.micronaut;

import io.micronaut.context.env.Environment;
import io.tokenbudget.core.config.ConfigurationException;
import io.tokenbudget.core.config.LoadedSettings;
import io.tokenbudget.core.config.MapSettings;
import io.tokenbudget.core.config.Settings;
import io.tokenbudget.core.spi.HoldRequest.Admission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the application's configuration says under {@code token-budget}, and what its operator has to know about it. Immutable.
 *
 * @param settings in force; if the configuration is broken, or there is none, such that only observe
 * @param problems one line each; empty if it is what was written
 * @param lines for the operator when the context starts
 */
record ConfiguredBudgets(Settings settings, List<String> problems, List<String> lines) {
    private static final String SOURCE = "token-budget in the application's configuration";

    /** Whether it is what was written. */
    boolean isUsable() {
        return problems.isEmpty();
    }

    /** Reads it; does not throw for what the application has written. */
    static ConfiguredBudgets in(Environment environment) {
        WrittenKeys keys = new WrittenKeys(environment);
        try {
            keys.requireSwitch();
            return keys.isEmpty() ? nothing(keys) : usable(MapSettings.load(keys.all(), SOURCE, keys::plain), keys);
        } catch (ConfigurationException wrong) {
            return unusable(wrong.problems().stream().map(Object::toString).toList());
        } catch (RuntimeException | StackOverflowError unresolved) {
            List<String> lines = keys.unresolved();
            return unusable(lines.isEmpty() ? List.of(SOURCE + ": " + unresolved) : lines);
        }
    }

    private static ConfiguredBudgets unusable(List<String> problems) {
        List<String> lines = new ArrayList<>(problems);
        lines.add("NOTHING IS ENFORCED: the configuration cannot be used, calls pass and are only counted");
        return observing(problems, lines);
    }

    private static ConfiguredBudgets nothing(WrittenKeys keys) {
        List<String> lines = new ArrayList<>();
        lines.add("observes and refuses nothing: there is no " + SOURCE);
        lines.addAll(keys.slips());
        return observing(List.of(), lines);
    }

    private static ConfiguredBudgets usable(LoadedSettings loaded, WrittenKeys keys) {
        Settings settings = loaded.settings();
        int rows = settings.budgets().size();
        List<String> lines = new ArrayList<>();
        lines.add((settings.mode() == Admission.ENFORCE ? "is ready to enforce " : "observes and refuses nothing: ")
                + rows
                + (rows == 1 ? " budget row" : " budget rows"));
        lines.addAll(loaded.warnings());
        lines.addAll(keys.slips());
        if (keys.haveStatus()) {
            lines.add(
                    "status is the agent's and is ignored here: the endpoint tokenbudgets of micronaut-management says the same");
        }
        return new ConfiguredBudgets(settings, List.of(), List.copyOf(lines));
    }

    private static ConfiguredBudgets observing(List<String> problems, List<String> lines) {
        return new ConfiguredBudgets(
                MapSettings.parse(Map.of("mode", "observe"), "built in"), List.copyOf(problems), List.copyOf(lines));
    }
}
