package io.tokenbudget.core.config;

import java.util.Map;

/** Reads {@link Settings} from YAML. The keys and their values are described in {@code docs/configuration.md}. */
public final class YamlSettings {
    private YamlSettings() {}

    /**
     * Reads a whole file. An empty one is {@link Settings#DEFAULT}.
     *
     * @param source the file's name, for errors
     * @throws ConfigurationException if anything is wrong, naming all of it
     */
    public static Settings parse(String text, String source) {
        return SettingsLoader.load(text, source, Map.of(), Map.of()).settings();
    }
}
