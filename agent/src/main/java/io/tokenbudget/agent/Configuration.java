package io.tokenbudget.agent;

import io.tokenbudget.core.config.ConfigurationException;
import io.tokenbudget.core.config.Settings;
import io.tokenbudget.core.config.YamlSettings;
import io.tokenbudget.core.spi.HoldRequest.Admission;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the agent goes by, and what the operator has to know about it.
 *
 * @param settings the configuration, or nothing but observing if there is none that can be used
 * @param lines for the operator
 */
record Configuration(Settings settings, List<String> lines) {

    static Configuration read(Map<String, String> arguments) {
        String file = first(
                arguments.get("config"),
                System.getProperty("token-budget.config"),
                System.getenv("TOKEN_BUDGET_CONFIG"));
        if (file.isEmpty()) {
            return new Configuration(
                    observing(),
                    List.of("no configuration (agent option config=FILE, -Dtoken-budget.config or"
                            + " TOKEN_BUDGET_CONFIG): observing, nothing is refused"));
        }
        List<String> lines = new ArrayList<>();
        try (InputStream in = new FileInputStream(file)) {
            return new Configuration(
                    YamlSettings.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8), file), lines);
        } catch (ConfigurationException wrong) {
            wrong.problems().forEach(problem -> lines.add(problem.toString()));
        } catch (IOException unreadable) {
            lines.add("cannot read " + new File(file).getAbsolutePath() + ": " + unreadable.getMessage());
        }
        lines.add("NOTHING IS ENFORCED until the configuration is right and the application restarted: observing");
        return new Configuration(observing(), lines);
    }

    private static String first(@Nullable String... candidates) {
        for (String candidate : candidates) {
            if (candidate != null && !candidate.isBlank()) {
                return candidate;
            }
        }
        return "";
    }

    private static Settings observing() {
        Settings normal = Settings.DEFAULT;
        return new Settings(
                Admission.OBSERVE,
                normal.hold(),
                normal.remember(),
                normal.rememberAtMost(),
                normal.zone(),
                normal.overrun(),
                normal.identity(),
                normal.budgets(),
                normal.estimates(),
                normal.onFailure(),
                normal.statusPort());
    }
}
