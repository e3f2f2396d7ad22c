package io.tokenbudget.micronaut;

import io.micronaut.context.env.Environment;
import io.micronaut.context.env.PropertySource;
import io.micronaut.context.env.PropertySource.PropertyConvention;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.naming.conventions.StringConvention;
import io.micronaut.core.value.PropertyCatalog;
import io.tokenbudget.core.config.MapSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is written under {@code token-budget}, in whatever source Micronaut has. Names of models and scopes keep their spelling in
 * its raw properties alone, which have no environment variables; of what a variable can say Micronaut is asked by name, because it
 * alone knows which source counts. Stateless.
 */
final class WrittenKeys {
    static final String PREFIX = "token-budget";
    private static final String VARIABLE_PREFIX = "TOKEN_BUDGET_";
    private static final String IDENTITY = "identity.";

    /** Keys of this module alone, or of the agent alone, as far as their first part. */
    private static final Set<String> OF_OTHERS = Set.of("enabled", "agent", "status");

    private final Environment environment;

    /** @param environment that has been started */
    WrittenKeys(Environment environment) {
        this.environment = environment;
    }

    /** Whether there is nothing at all. */
    boolean isEmpty() {
        return all().isEmpty() && MapSettings.plainKeys().stream().allMatch(key -> plain(key) == null);
    }

    /**
     * By key, without the prefix; of what has one plain value only what a file says.
     *
     * @throws ConfigurationException if a value refers to what is not there; a {@code StackOverflowError} if it refers to itself
     */
    Map<String, @Nullable Object> all() {
        Map<String, @Nullable Object> all = raw();
        for (String dimension : dimensions(all.keySet())) {
            Object sources = identity(dimension);
            if (sources != null) {
                String key = IDENTITY + dimension;
                all.keySet().removeIf(each -> each.startsWith(key + '['));
                all.put(key, sources);
            }
        }
        return all;
    }

    /** Where it has none under the prefix, Micronaut would answer with every spelling that a variable could stand for. */
    private Map<String, @Nullable Object> raw() {
        Map<String, @Nullable Object> raw = new LinkedHashMap<>();
        if (!environment.getPropertyEntries(PREFIX, PropertyCatalog.RAW).isEmpty()) {
            raw.putAll(environment.getProperties(PREFIX, StringConvention.RAW));
            raw.keySet().removeIf(key -> OF_OTHERS.contains(key.replaceFirst("[.\\[].*", "")));
        }
        return raw;
    }

    /** Micronaut's answer for a key with one plain value; null if nobody has written it. */
    @Nullable
    String plain(String key) {
        return OF_OTHERS.contains(key.replaceFirst("\\..*", ""))
                ? null
                : environment
                        .getProperty(PREFIX + '.' + key, String.class)
                        .filter(WrittenKeys::isSaid)
                        .orElse(null);
    }

    private @Nullable Object identity(String dimension) {
        String name = PREFIX + '.' + IDENTITY + dimension;
        return environment
                .getProperty(name.toLowerCase(Locale.ROOT), Object.class)
                .filter(WrittenKeys::isSaid)
                .or(() -> environment.getProperty(name, Object.class).filter(WrittenKeys::isSaid))
                .orElse(null);
    }

    /** A variable that is empty counts as not set. */
    private static boolean isSaid(Object value) {
        return !(value instanceof CharSequence text) || !text.toString().isBlank();
    }

    private static Set<String> dimensions(Set<String> keys) {
        Set<String> dimensions = new LinkedHashSet<>();
        keys.stream()
                .filter(key -> key.startsWith(IDENTITY))
                .map(key -> key.substring(IDENTITY.length()).replaceFirst("\\[.*", ""))
                .forEach(dimensions::add);
        dimensions.addAll(MapSettings.dimensions());
        return dimensions;
    }

    /** Whether a file has {@code status}, which is the agent's. */
    boolean haveStatus() {
        return environment.getPropertyEntries(PREFIX, PropertyCatalog.RAW).contains("status");
    }

    /** One line for each variable that was perhaps meant as a key. */
    List<String> slips() {
        Map<String, String> variables = new TreeMap<>();
        for (PropertySource source : environment.getPropertySources()) {
            if (source.getConvention() == PropertyConvention.ENVIRONMENT_VARIABLE) {
                // Micronaut has made indexes of what is a number between underscores.
                source.forEach(name -> variables.put(
                        name.replaceAll("\\[(\\d+)]$", "_$1").replaceAll("\\[(\\d+)]", "_$1_"),
                        String.valueOf(source.get(name))));
            }
        }
        return MapSettings.slips(variables, dimensions(raw().keySet()));
    }

    /**
     * Does nothing if it can be told whether we are wanted.
     *
     * @throws RuntimeException or {@code StackOverflowError}, Micronaut's own, if it cannot
     */
    void requireSwitch() {
        environment.getProperty(Switch.Everything.PROPERTY, String.class);
    }

    /** One line for each value that refers to what is not there or to itself. */
    List<String> unresolved() {
        Set<String> lines = new TreeSet<>();
        for (PropertySource source : environment.getPropertySources()) {
            String prefix =
                    source.getConvention() == PropertyConvention.ENVIRONMENT_VARIABLE ? VARIABLE_PREFIX : PREFIX + '.';
            for (String name : source) {
                if (name.startsWith(prefix)) {
                    addUnresolved(source.getOrigin().location() + ": " + name, source.get(name), lines);
                }
            }
        }
        return new ArrayList<>(lines);
    }

    private void addUnresolved(String where, @Nullable Object value, Set<String> lines) {
        if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                addUnresolved(where + '[' + i + ']', list.get(i), lines);
            }
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> addUnresolved(where + '.' + key, each, lines));
        } else if (value instanceof CharSequence text) {
            try {
                environment.getPlaceholderResolver().resolveRequiredPlaceholders(text.toString());
            } catch (StackOverflowError endless) {
                String circle = Circle.in(text.toString(), environment);
                lines.add(where + ": found \"" + text + "\", which refers to itself"
                        + (circle == null ? "" : ", " + circle) + "; allowed: what refers to something else");
            } catch (RuntimeException unresolved) {
                lines.add(where + ": " + unresolved.getMessage()
                        + "; allowed: what is there, or a default behind a colon, ${name:default}");
            }
        }
    }
}
