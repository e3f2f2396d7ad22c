package io.tokenbudget.core.config;

import io.tokenbudget.core.config.YamlTree.Entry;
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
        Problems problems = new Problems();
        SettingsReader reader = new SettingsReader(source, problems);
        Map<String, Entry> top = reader.readPlain(text);
        reader.readBudgets(top.get("budgets"));
        reader.checkIdentity();
        problems.throwIfAny();
        return reader.draft.build();
    }
}
