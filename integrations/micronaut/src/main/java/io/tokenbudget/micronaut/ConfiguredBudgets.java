package io.tokenbudget.micronaut;

import io.micronaut.context.env.Environment;
import io.micronaut.core.naming.conventions.StringConvention;
import io.tokenbudget.core.config.ConfigurationException;
import io.tokenbudget.core.config.LoadedSettings;
import io.tokenbudget.core.config.MapSettings;
import io.tokenbudget.core.config.Settings;
import io.tokenbudget.core.spi.HoldRequest.Admission;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the application's configuration says under {@code token-budget}, and what its operator has to know about it. Immutable.
 *
 * @param settings in force; if the configuration is broken, or there is none, such that only observe
 * @param isUsable whether it is what was written
 * @param lines for the operator when the context starts
 */
record ConfiguredBudgets(Settings settings, boolean isUsable, List<String> lines) {
    static final String PREFIX = "token-budget";
    private static final String SOURCE = "token-budget in the application's configuration";

    /** Keys of this module alone, as far as their first part. */
    private static final Set<String> OF_THIS_MODULE = Set.of("enabled", "agent");

    /** Reads it; does not throw for what the application has written. */
    static ConfiguredBudgets in(Environment environment) {
        try {
            Map<String, @Nullable Object> written =
                    new LinkedHashMap<>(environment.getProperties(PREFIX, StringConvention.RAW));
            written.keySet().removeIf(key -> OF_THIS_MODULE.contains(key.replaceFirst("[.\\[].*", "")));
            return written.isEmpty()
                    ? observing(true, List.of("observes and refuses nothing: there is no " + SOURCE))
                    : usable(MapSettings.load(written, SOURCE));
        } catch (ConfigurationException wrong) {
            return unusable(wrong.problems().stream().map(Object::toString).toList());
        } catch (io.micronaut.context.exceptions.ConfigurationException unresolved) {
            return unusable(List.of(SOURCE + ": " + unresolved.getMessage()));
        }
    }

    private static ConfiguredBudgets unusable(List<String> problems) {
        List<String> lines = new ArrayList<>(problems);
        lines.add("NOTHING IS ENFORCED: the configuration cannot be used, calls pass and are only counted");
        return observing(false, lines);
    }

    private static ConfiguredBudgets usable(LoadedSettings loaded) {
        Settings settings = loaded.settings();
        int rows = settings.budgets().size();
        List<String> lines = new ArrayList<>();
        lines.add((settings.mode() == Admission.ENFORCE ? "is ready to enforce " : "observes and refuses nothing: ")
                + rows
                + (rows == 1 ? " budget row" : " budget rows"));
        lines.addAll(loaded.warnings());
        return new ConfiguredBudgets(settings, true, List.copyOf(lines));
    }

    private static ConfiguredBudgets observing(boolean isUsable, List<String> lines) {
        return new ConfiguredBudgets(
                MapSettings.parse(Map.of("mode", "observe"), "built in"), isUsable, List.copyOf(lines));
    }
}
