package io.tokenbudget.core.config;

import java.util.Map;
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
        return SettingsLoader.load(MapTree.of(nested), source);
    }
}
