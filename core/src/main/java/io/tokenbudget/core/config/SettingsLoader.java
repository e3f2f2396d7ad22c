package io.tokenbudget.core.config;

import io.tokenbudget.core.config.YamlTree.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Puts a configuration together: a system property wins over an environment variable, that over the file, the file over
 * the default. Reads nothing itself; stateless.
 */
public final class SettingsLoader {
    private SettingsLoader() {}

    /**
     * @param text the file's YAML; empty for none
     * @param source the file's name, for errors and for {@link EffectiveValue#source()}
     * @param properties of which those that begin with {@code token-budget.} are read, but {@code token-budget.config}
     *     and {@code token-budget.agent.log}, which belong to the agent
     * @param environment of which those that begin with {@code TOKEN_BUDGET_} are read
     * @throws ConfigurationException if anything is wrong in any of them, naming all of it
     */
    public static LoadedSettings load(
            String text, String source, Map<String, String> properties, Map<String, String> environment) {
        Problems problems = new Problems();
        List<String> warnings = new ArrayList<>();
        SettingsReader reader = new SettingsReader(source, problems);
        Map<String, Entry> top = reader.readPlain(text);
        new Overrides(properties, environment, problems, warnings).applyTo(reader);
        return finish(reader, top, problems, warnings);
    }

    /** The same from a tree that was not read from YAML and that all its sources have been put together in. */
    static LoadedSettings load(Node root, String source) {
        Problems problems = new Problems();
        SettingsReader reader = new SettingsReader(source, problems);
        return finish(reader, reader.readPlain(root), problems, new ArrayList<>());
    }

    private static LoadedSettings finish(
            SettingsReader reader, Map<String, Entry> top, Problems problems, List<String> warnings) {
        reader.readBudgets(top.get("budgets"));
        reader.checkIdentity();
        reader.checkDefaultPlan();
        problems.throwIfAny();
        warnings.addAll(reader.withoutSource());
        warnings.addAll(reader.withoutPrices());
        Settings settings = reader.draft.build();
        return new LoadedSettings(settings, values(settings, reader.origins), List.copyOf(warnings));
    }

    private static List<EffectiveValue> values(Settings settings, Map<String, Origin> origins) {
        Values values = new Values(origins);
        for (ScalarKey key : ScalarKey.values()) {
            values.add(key.path, key.write(settings));
        }
        settings.identity()
                .forEach((dimension, sources) -> values.add("identity." + dimension, IdentityText.format(sources)));
        settings.estimates()
                .modelMaxOutput()
                .forEach((model, most) -> values.add("estimates.models." + model + ".max-output", Long.toString(most)));
        settings.plans()
                .multipliers()
                .forEach((plan, times) -> values.add("plans." + plan + ".multiplier", times.toPlainString()));
        settings.prices().models().forEach((model, price) -> values.add("prices." + model, PriceText.format(price)));
        for (int i = 0; i < settings.budgets().size(); i++) {
            BudgetRow row = settings.budgets().get(i);
            values.add(
                    "budgets[" + i + "]",
                    row.title() + ": "
                            + String.join(
                                    ", ",
                                    row.limits().stream()
                                            .map(limit -> limit.text())
                                            .toList()));
        }
        return List.copyOf(values.list);
    }

    private record Values(Map<String, Origin> origins, List<EffectiveValue> list) {
        Values(Map<String, Origin> origins) {
            this(origins, new ArrayList<>());
        }

        void add(String key, String value) {
            list.add(new EffectiveValue(
                    key, value, origins.getOrDefault(key, Origin.DEFAULT).toString()));
        }
    }
}
