package io.tokenbudget.spring.boot;

import io.tokenbudget.core.config.ConfigurationException;
import io.tokenbudget.core.config.LoadedSettings;
import io.tokenbudget.core.config.MapSettings;
import io.tokenbudget.core.config.Settings;
import io.tokenbudget.core.spi.HoldRequest.Admission;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;

/**
 * What the application's configuration says under {@code token-budget}, and what its operator has to know about it. Immutable.
 *
 * @param settings in force; if the configuration is broken, or there is none, such that only observe
 * @param problems one line each; empty if the configuration can be used
 * @param lines for the operator at start-up, warnings included
 */
record StarterSettings(Settings settings, List<String> problems, List<String> lines) {
    /** What everything stands under. */
    static final String PREFIX = "token-budget";

    private static final String SOURCE = "token-budget in the application's configuration";

    /** Keys of the starter alone, in their plainest spelling. */
    private static final Set<String> OF_THE_STARTER = Set.of("enabled", "aspectorder");

    private static final Bindable<Map<String, Object>> MAP = Bindable.mapOf(String.class, Object.class);

    private static final Bindable<List<Map<String, Object>>> ROWS = Bindable.of(ResolvableType.forClassWithGenerics(
            List.class, ResolvableType.forClassWithGenerics(Map.class, String.class, Object.class)));

    private static final Bindable<List<String>> TEXTS = Bindable.listOf(String.class);

    /** Reads it; does not throw for what the application has written. */
    static StarterSettings read(Environment environment) {
        Binder binder = Binder.get(environment);
        try {
            Map<String, @Nullable Object> nested = nested(binder);
            if (nested.isEmpty()) {
                return observing(
                        "observes and refuses nothing: there is no token-budget in the application's configuration");
            }
            return usable(MapSettings.load(nested, SOURCE, key -> text(binder, key)));
        } catch (ConfigurationException wrong) {
            return unusable(wrong.problems().stream().map(Object::toString).toList());
        } catch (BindException wrong) {
            return unusable(List.of(SOURCE + ": " + wrong.getName() + ": " + rootMessage(wrong)));
        }
    }

    private static Map<String, @Nullable Object> nested(Binder binder) {
        Map<String, @Nullable Object> nested =
                new LinkedHashMap<>(binder.bind(PREFIX, MAP).orElse(Map.of()));
        nested.keySet().removeIf(key -> OF_THE_STARTER.contains(plain(key)));
        // A list counts as a whole where it is first found; in a map the lists of several files would be mixed.
        List<Map<String, Object>> rows = rows(binder);
        if (rows != null) {
            nested.keySet().removeIf(key -> plain(key).equals("budgets"));
            nested.put("budgets", rows);
        }
        nested.replaceAll((key, value) -> plain(key).equals("identity") && value instanceof Map<?, ?> sources
                ? wholeLists(binder, key, sources)
                : value);
        return nested;
    }

    private static Map<String, @Nullable Object> wholeLists(Binder binder, String identity, Map<?, ?> sources) {
        Map<String, @Nullable Object> whole = new LinkedHashMap<>();
        sources.forEach((dimension, written) -> {
            String name = PREFIX + '.' + identity + '.' + dimension;
            boolean isList = written instanceof Map<?, ?> || written instanceof Collection<?>;
            whole.put(
                    String.valueOf(dimension),
                    isList && ConfigurationPropertyName.isValid(name)
                            ? binder.bind(name, TEXTS)
                                    .<@Nullable Object>map(texts -> texts)
                                    .orElse(written)
                            : written);
        });
        return whole;
    }

    private static @Nullable List<Map<String, Object>> rows(Binder binder) {
        try {
            return binder.bind(PREFIX + ".budgets", ROWS).orElse(null);
        } catch (BindException otherThanRows) {
            // Whoever reads the map says what is wrong with it.
            return null;
        }
    }

    private static @Nullable String text(Binder binder, String key) {
        ConfigurationPropertyName name = ConfigurationPropertyName.of(PREFIX + '.' + key);
        try {
            return binder.bind(name, Bindable.of(String.class)).orElse(null);
        } catch (BindException otherThanText) {
            return null;
        }
    }

    /** A number of the starter's own; what cannot be read counts as not there. */
    static int number(Environment environment, String key, int byDefault) {
        try {
            return Binder.get(environment)
                    .bind(PREFIX + '.' + key, Integer.class)
                    .orElse(byDefault);
        } catch (BindException notANumber) {
            return byDefault;
        }
    }

    private static String plain(String key) {
        return key.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "").replaceFirst("[.\\[].*", "");
    }

    private static StarterSettings usable(LoadedSettings loaded) {
        Settings settings = loaded.settings();
        int rows = settings.budgets().size();
        List<String> lines = new ArrayList<>();
        lines.add((settings.mode() == Admission.ENFORCE ? "is ready to enforce " : "observes and refuses nothing: ")
                + rows
                + (rows == 1 ? " budget row" : " budget rows"));
        lines.addAll(loaded.warnings());
        if (settings.statusPort() != 0) {
            lines.add(
                    "status.port is the agent's and is ignored here: the actuator's endpoint tokenbudgets says the same");
        }
        return new StarterSettings(settings, List.of(), List.copyOf(lines));
    }

    private static StarterSettings unusable(List<String> problems) {
        StarterSettings observing =
                observing("NOTHING IS ENFORCED: the configuration cannot be used, calls pass and are only"
                        + " counted: "
                        + String.join("; ", problems));
        return new StarterSettings(observing.settings, List.copyOf(problems), observing.lines);
    }

    private static StarterSettings observing(String line) {
        return new StarterSettings(MapSettings.parse(Map.of("mode", "observe"), "built in"), List.of(), List.of(line));
    }

    private static String rootMessage(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }
}
