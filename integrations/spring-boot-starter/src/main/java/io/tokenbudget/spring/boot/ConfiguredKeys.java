package io.tokenbudget.spring.boot;

import io.tokenbudget.core.config.MapSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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
 * What stands under {@code token-budget}, as Spring Boot's Binder tells it. Immutable.
 *
 * @param nested what the Binder makes of it as a map, with lists that count whole
 * @param plain the value of each key that has one plain value, where there is one: variables of the environment with it
 * @param problems by key, what Spring Boot would have passed over without a word
 * @param warnings one line each
 */
record ConfiguredKeys(
        Map<String, @Nullable Object> nested,
        Map<String, String> plain,
        Map<String, String> problems,
        List<String> warnings) {

    /** Keys of the starter alone, in their plainest spelling. */
    private static final Set<String> OF_THE_STARTER = Set.of("enabled", "aspectorder");

    private static final String IDENTITY = "identity";

    private static final Bindable<Map<String, Object>> MAP = Bindable.mapOf(String.class, Object.class);

    private static final Bindable<List<Map<String, Object>>> ROWS = Bindable.of(ResolvableType.forClassWithGenerics(
            List.class, ResolvableType.forClassWithGenerics(Map.class, String.class, Object.class)));

    private static final Bindable<List<String>> TEXTS = Bindable.listOf(String.class);

    /**
     * Reads them.
     *
     * @throws BindException if the Binder cannot
     */
    static ConfiguredKeys in(Environment environment) {
        KeySources sources = KeySources.of(environment);
        Binder binder = sources.binder();
        List<String> warnings = new ArrayList<>();
        Map<String, @Nullable Object> nested = top(binder);
        Map<String, @Nullable Object> withoutVariables = top(sources.withoutVariables());
        passOverVariables(nested, withoutVariables, warnings);
        // A list counts as a whole where it is first found; in a map the lists of several files would be mixed.
        List<Map<String, Object>> rows = rows(binder);
        if (rows != null) {
            nested.keySet().removeIf(key -> plain(key).equals("budgets"));
            nested.put("budgets", rows);
        }
        Set<String> dimensions = dimensions(withoutVariables);
        wholeIdentity(binder, nested, dimensions);
        warnings.addAll(sources.slips(dimensions));
        Map<String, String> plain = new LinkedHashMap<>();
        for (String key : MapSettings.plainKeys()) {
            String text = text(binder, key);
            if (text != null) {
                plain.put(key, text);
            }
        }
        Map<String, String> problems = sources.namesWithoutBrackets();
        nested.forEach((key, value) -> unresolved(key, value, problems));
        plain.forEach((key, value) -> unresolved(key, value, problems));
        return new ConfiguredKeys(nested, plain, problems, List.copyOf(warnings));
    }

    /** Whether nothing is configured. */
    boolean isEmpty() {
        return nested.isEmpty() && plain.isEmpty() && problems.isEmpty();
    }

    private static Map<String, @Nullable Object> top(Binder binder) {
        Map<String, @Nullable Object> top =
                new LinkedHashMap<>(binder.bind(StarterSettings.PREFIX, MAP).orElse(Map.of()));
        top.keySet().removeIf(key -> OF_THE_STARTER.contains(plain(key)));
        return top;
    }

    /** A variable that is no key may be anybody's: it does not make the configuration unusable. */
    private static void passOverVariables(
            Map<String, ?> nested, Map<String, ?> withoutVariables, List<String> warnings) {
        Set<String> known = plain(MapSettings.topKeys());
        Set<String> written = plain(withoutVariables.keySet());
        nested.keySet().removeIf(key -> {
            boolean isOfAVariable = !known.contains(plain(key)) && !written.contains(plain(key));
            if (isOfAVariable) {
                warnings.add("a variable of the environment is ignored: " + StarterSettings.PREFIX + '.' + key
                        + " is no key");
            }
            return isOfAVariable;
        });
    }

    /** @param written without variables, by their own spelling */
    private static void wholeIdentity(Binder binder, Map<String, @Nullable Object> nested, Set<String> written) {
        String key = ofIdentity(nested);
        Map<String, @Nullable Object> found = new LinkedHashMap<>();
        if (nested.get(key) instanceof Map<?, ?> sources) {
            sources.forEach((dimension, value) -> found.put(String.valueOf(dimension), value));
        } else if (nested.get(key) != null) {
            return;
        }
        Map<String, @Nullable Object> whole = new LinkedHashMap<>();
        for (String dimension : written) {
            List<String> spellings = found.keySet().stream()
                    .filter(each -> uniform(each).equals(uniform(dimension)))
                    .toList();
            List<String> texts = texts(binder, key + '.' + dimension);
            if (texts != null) {
                whole.put(dimension, texts);
            } else if (found.containsKey(dimension)) {
                whole.put(dimension, found.get(dimension));
            }
            found.keySet().removeAll(spellings);
        }
        found.forEach((dimension, value) -> {
            List<String> texts = isNested(value) ? texts(binder, key + '.' + dimension) : null;
            whole.put(dimension, texts == null ? value : texts);
        });
        if (!whole.isEmpty()) {
            nested.put(key, whole);
        }
    }

    private static boolean isNested(@Nullable Object value) {
        return value instanceof Map<?, ?> || value instanceof Collection<?>;
    }

    private static String ofIdentity(Map<String, ?> nested) {
        return nested.keySet().stream()
                .filter(key -> plain(key).equals(IDENTITY))
                .findFirst()
                .orElse(IDENTITY);
    }

    /** Those that everybody has and those that are written, as they are spelled there. */
    private static Set<String> dimensions(Map<String, ?> written) {
        Set<String> dimensions = new LinkedHashSet<>(MapSettings.dimensions());
        if (written.get(ofIdentity(written)) instanceof Map<?, ?> sources) {
            sources.keySet().forEach(dimension -> dimensions.add(String.valueOf(dimension)));
        }
        return dimensions;
    }

    /** What Spring Boot compares names by. */
    private static String uniform(String dimension) {
        return dimension.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    private static @Nullable List<String> texts(Binder binder, String key) {
        String name =
                StarterSettings.PREFIX + '.' + key.toLowerCase(Locale.ROOT).replace('_', '-');
        return ConfigurationPropertyName.isValid(name)
                ? binder.bind(name, TEXTS).orElse(null)
                : null;
    }

    private static @Nullable List<Map<String, Object>> rows(Binder binder) {
        try {
            return binder.bind(StarterSettings.PREFIX + ".budgets", ROWS).orElse(null);
        } catch (BindException otherThanRows) {
            // Whoever reads the map says what is wrong with it.
            return null;
        }
    }

    private static @Nullable String text(Binder binder, String key) {
        ConfigurationPropertyName name = ConfigurationPropertyName.of(StarterSettings.PREFIX + '.' + key);
        try {
            String text = binder.bind(name, Bindable.of(String.class)).orElse(null);
            List<String> texts = text == null ? binder.bind(name, TEXTS).orElse(null) : null;
            return texts == null ? text : String.join(",", texts);
        } catch (BindException otherThanText) {
            return null;
        }
    }

    /** What is still a placeholder when the Binder has put in what is known is told by its key. */
    private static void unresolved(String key, @Nullable Object value, Map<String, String> problems) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, each) -> unresolved(key + step(String.valueOf(name)), each, problems));
        } else if (value instanceof Collection<?> items) {
            int index = 0;
            for (Object item : items) {
                unresolved(key + '[' + index++ + ']', item, problems);
            }
        } else if (value instanceof CharSequence text && text.toString().contains("${")) {
            problems.put(key, "found \"" + text + "\": the placeholder in it has no value");
        }
    }

    private static String step(String name) {
        return name.chars().allMatch(Character::isDigit) ? '[' + name + ']' : '.' + name;
    }

    private static Set<String> plain(Collection<String> keys) {
        Set<String> plain = new LinkedHashSet<>();
        keys.forEach(key -> plain.add(plain(key)));
        return plain;
    }

    /** The first step of {@code key} in its plainest spelling. */
    static String plain(String key) {
        return key.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "").replaceFirst("[.\\[].*", "");
    }
}
