package io.tokenbudget.agent;

import io.tokenbudget.core.config.ConfigurationException;
import io.tokenbudget.core.config.EffectiveValue;
import io.tokenbudget.core.config.HttpSettings;
import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.config.LoadedSettings;
import io.tokenbudget.core.config.Settings;
import io.tokenbudget.core.config.SettingsLoader;
import io.tokenbudget.core.spi.HoldRequest.Admission;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the agent goes by, and what the operator has to know about it.
 *
 * @param settings the configuration; if there is none that can be used, one that only observes
 * @param values every setting with its source; empty if the configuration is broken
 * @param problems one line each; empty if the configuration can be used
 * @param warnings what was left out and may have been meant, and what only code can bring to life, one line each
 * @param lines for the operator of a running agent, problems and warnings included
 */
public record Configuration(
        Settings settings,
        List<EffectiveValue> values,
        List<String> problems,
        List<String> warnings,
        List<String> lines) {
    private static final String PREFIX = "token-budget.";
    private static final String FILE_PROPERTY = PREFIX + "config";
    private static final String FILE_VARIABLE = "TOKEN_BUDGET_CONFIG";

    /**
     * Reads the file that {@code arguments}, the system property or the environment names, and the single keys over it:
     * an agent argument wins over a system property, that over the environment, that over the file.
     */
    public static Configuration read(
            Map<String, String> arguments, Map<String, String> properties, Map<String, String> environment) {
        for (Map.Entry<String, String> option : arguments.entrySet()) {
            if (option.getValue().isEmpty() && isYaml(option.getKey())) {
                return unusable(
                        List.of("agent option " + option.getKey() + ": did you mean config=" + option.getKey() + "?"));
            }
        }
        Map<String, String> overrides = overrides(arguments, properties);
        String fromProperty = overrides.get(FILE_PROPERTY);
        String file = file(overrides, environment);
        String named =
                fromProperty == null ? "environment variable " + FILE_VARIABLE : "system property " + FILE_PROPERTY;
        Configuration read =
                file.isBlank() ? withoutFile(overrides, environment) : withFile(file, named, overrides, environment);
        return read.naming(arguments.keySet());
    }

    private static Map<String, String> overrides(Map<String, String> arguments, Map<String, String> properties) {
        Map<String, String> overrides = new HashMap<>(properties);
        arguments.forEach((key, value) -> overrides.put(PREFIX + key, value));
        return overrides;
    }

    private static String file(Map<String, String> overrides, Map<String, String> environment) {
        String fromProperty = overrides.get(FILE_PROPERTY);
        return fromProperty == null ? environment.getOrDefault(FILE_VARIABLE, "") : fromProperty;
    }

    /** Whether what {@link #read} reads can have an identity source that reads requests; wrong only in saying yes. */
    static boolean mayReadRequests(
            Map<String, String> arguments, Map<String, String> properties, Map<String, String> environment) {
        Map<String, String> overrides = overrides(arguments, properties);
        String file = file(overrides, environment);
        List<String> texts = new ArrayList<>();
        overrides.forEach((key, value) -> texts.add(key.startsWith(PREFIX) ? value : ""));
        environment.forEach((key, value) -> texts.add(key.startsWith("TOKEN_BUDGET_") ? value : ""));
        try {
            texts.add(file.isBlank() ? "" : text(file));
        } catch (IOException unreadable) {
            return false; // said when it is read for a model
        }
        return texts.stream().anyMatch(IdentitySource::mayReadRequests);
    }

    /**
     * Reads one file alone: what a shell happens to set must not make a good file look broken, or the reverse.
     *
     * @param named how the user named the file, for the message if it cannot be read
     */
    public static Configuration ofFile(String file, String named) {
        return withFile(file, named, Map.of(), Map.of());
    }

    /** Core knows agent options as the system properties that they stand for; people do not. */
    private Configuration naming(Set<String> options) {
        return new Configuration(
                settings,
                values.stream()
                        .map(value -> new EffectiveValue(value.key(), value.value(), naming(options, value.source())))
                        .toList(),
                problems.stream().map(line -> naming(options, line)).toList(),
                warnings,
                lines.stream().map(line -> naming(options, line)).toList());
    }

    private static String naming(Set<String> options, String text) {
        String named = text;
        for (String option : options) {
            named = named.replace("system property " + PREFIX + option, "agent option " + option);
        }
        return named.equals(text) ? text : named.replace("did you mean \"" + PREFIX, "did you mean \"");
    }

    /** The present system properties with text values. */
    public static Map<String, String> systemProperties() {
        Map<String, String> properties = new HashMap<>();
        for (String name : System.getProperties().stringPropertyNames()) {
            properties.put(name, System.getProperty(name, ""));
        }
        return properties;
    }

    private static Configuration withoutFile(Map<String, String> overrides, Map<String, String> environment) {
        Map<String, String> observing = new HashMap<>(overrides);
        observing.put(PREFIX + "mode", "observe");
        try {
            LoadedSettings loaded = SettingsLoader.load("", "no file", observing, environment);
            List<EffectiveValue> values = loaded.values().stream()
                    .map(value -> value.key().equals("mode")
                            ? new EffectiveValue("mode", value.value(), "there is no configuration file")
                            : value)
                    .toList();
            return usable(
                    new LoadedSettings(loaded.settings(), values, loaded.warnings()),
                    "observes and refuses nothing: no configuration is named by the agent option config=FILE, by -D"
                            + FILE_PROPERTY + " or by " + FILE_VARIABLE);
        } catch (ConfigurationException wrong) {
            return unusable(lines(wrong));
        }
    }

    private static Configuration withFile(
            String file, String named, Map<String, String> overrides, Map<String, String> environment) {
        try {
            LoadedSettings loaded = SettingsLoader.load(text(file), file, overrides, environment);
            Settings settings = loaded.settings();
            String does =
                    settings.mode() == Admission.ENFORCE ? "is ready to enforce " : "observes and refuses nothing: ";
            return usable(loaded, does + count(settings.budgets().size()) + " of " + file);
        } catch (ConfigurationException wrong) {
            return unusable(lines(wrong));
        } catch (IOException unreadable) {
            return unusable(
                    List.of(named + ": cannot read " + new File(file).getAbsolutePath() + ": " + reason(unreadable)));
        }
    }

    private static String count(int budgets) {
        return budgets + (budgets == 1 ? " budget row" : " budget rows");
    }

    private static Configuration usable(LoadedSettings loaded, String summary) {
        List<String> lines = new ArrayList<>();
        lines.add(Version.OF_AGENT + " " + summary);
        lines.addAll(loaded.warnings());
        if (!loaded.settings().http().equals(HttpSettings.DEFAULT)) {
            lines.add("http is the starters' and is ignored here: the agent answers no requests");
        }
        return new Configuration(loaded.settings(), loaded.values(), List.of(), loaded.warnings(), lines);
    }

    private static Configuration unusable(List<String> problems) {
        List<String> lines = new ArrayList<>(problems);
        lines.add("NOTHING IS ENFORCED: the configuration cannot be used, calls pass and are only counted");
        Settings observing = SettingsLoader.load("mode: observe", "built in", Map.of(), Map.of())
                .settings();
        return new Configuration(observing, List.of(), problems, List.of(), lines);
    }

    private static List<String> lines(ConfigurationException wrong) {
        return wrong.problems().stream().map(Object::toString).toList();
    }

    private static boolean isYaml(String name) {
        return name.endsWith(".yaml") || name.endsWith(".yml");
    }

    private static String text(String file) throws IOException {
        try (InputStream in = new FileInputStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The JDK's message is the path and, in brackets, the reason. */
    private static String reason(IOException unreadable) {
        @Nullable String message = unreadable.getMessage();
        if (message == null) {
            return unreadable.toString();
        }
        int bracket = message.lastIndexOf('(');
        return bracket < 0 || !message.endsWith(")") ? message : message.substring(bracket + 1, message.length() - 1);
    }
}
