package io.tokenbudget.core.config;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@link Settings} from the nested map that a framework makes of its own configuration, by the same rules as
 * {@link YamlSettings}. Stateless.
 *
 * <p>What frameworks do to keys and values on the way is undone: keys in any spelling ({@code on-failure},
 * {@code onFailure}, {@code ON_FAILURE}), joined ({@code budgets[0].scope}) or nested, names in brackets
 * ({@code models["gpt-4.1*"]}) or taken apart at their dots, lists as maps from indexes to items, empty lists and mappings
 * as an empty text, and lists of texts as one text with commas. Keys that only the agent reads are passed over.
 */
public final class MapSettings {
    private MapSettings() {}

    /**
     * The same as {@link #load} without what is to be shown of it.
     *
     * @throws ConfigurationException if anything is wrong, naming all of it
     */
    public static Settings parse(Map<String, ? extends @Nullable Object> nested, String source) {
        return load(nested, source).settings();
    }

    /**
     * @param nested what stands under {@code token-budget}; values are maps, lists, texts, numbers, truth values or null
     * @param source where it stands, for errors and for {@link EffectiveValue#source()}
     * @throws ConfigurationException if anything is wrong, naming all of it
     */
    public static LoadedSettings load(Map<String, ? extends @Nullable Object> nested, String source) {
        return load(nested, source, key -> null);
    }

    /**
     * The same where the framework itself knows which of several spellings of a key, from several places, counts.
     *
     * @param exact the framework's own answer for a key with one plain value, such as {@code on-failure.timeout}, which counts
     *     in place of all that {@code nested} says of it; null where it has none
     * @throws ConfigurationException if anything is wrong, naming all of it
     */
    public static LoadedSettings load(
            Map<String, ? extends @Nullable Object> nested, String source, Function<String, @Nullable String> exact) {
        return SettingsLoader.load(MapTree.of(nested, exact), source);
    }

    /** The keys that have one plain value each: {@code mode}, {@code on-failure.timeout}. */
    public static List<String> plainKeys() {
        return ScalarKey.paths();
    }

    /**
     * What an operator has to know of environment variables that were perhaps meant as keys and are none: one line each.
     *
     * @param environment by name; those without our prefix, or what looks like it, are passed over
     * @param dimensions of the application's own, that its configuration names under {@code identity}
     */
    public static List<String> slips(Map<String, String> environment, Collection<String> dimensions) {
        return List.copyOf(Overrides.slips(environment, dimensions));
    }

    /** The dimensions that everybody has: {@code tenant}, {@code agent}. */
    public static List<String> dimensions() {
        return Stream.concat(Dimensions.BUILT_IN.stream(), Stream.of(Dimensions.PLAN))
                .filter(dimension -> !Dimensions.WITHOUT_IDENTITY.contains(dimension))
                .toList();
    }

    /** Every key that may stand at the top: {@code mode}, {@code budgets}, {@code on-failure}. */
    public static Set<String> topKeys() {
        return Collections.unmodifiableSet(KnownKeys.TOP);
    }
}
