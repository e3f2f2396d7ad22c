package io.tokenbudget.core.config;

import java.util.List;

/** Reads {@link Settings} from YAML. */
public final class YamlSettings {
    private YamlSettings() {}

    /**
     * @param source the file's name, for errors
     * @throws ConfigurationException if anything is wrong, naming all of it
     */
    public static Settings parse(String text, String source) {
        if (text.isBlank()) {
            return Settings.DEFAULT;
        }
        throw new ConfigurationException(
                List.of(new ConfigurationException.Problem(source, 1, "", "reading YAML comes with a later commit")));
    }
}
