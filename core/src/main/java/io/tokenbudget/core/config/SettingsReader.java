package io.tokenbudget.core.config;

import io.tokenbudget.core.config.YamlTree.Entry;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads one configuration into a draft. Plain values come first, then those that need them: a limit needs the zone, a scope the
 * dimensions of {@code identity}. Not thread-safe.
 */
final class SettingsReader {
    final Draft draft = new Draft();

    /** For each key that is not at its default, where its value comes from. */
    final Map<String, Origin> origins = new LinkedHashMap<>();

    private final Problems problems;
    private final YamlTree tree;

    SettingsReader(String source, Problems problems) {
        this.problems = problems;
        this.tree = new YamlTree(source, problems);
    }

    /** The first half: every key but {@code budgets}. Answers what the second half needs. */
    Map<String, Entry> readPlain(String text) {
        return readPlain(tree.top(text));
    }

    /** The same of a tree that was not read from YAML. */
    Map<String, Entry> readPlain(Node root) {
        return readPlain(tree.top(root));
    }

    private Map<String, Entry> readPlain(Map<String, Entry> top) {
        for (Entry entry : top.values()) {
            String objection = KnownKeys.topObjection(entry.name());
            if (objection != null) {
                problems.add(entry.origin(), entry.path(), objection);
            } else if (entry.name().equals("identity")) {
                tree.mapping(entry).values().forEach(this::readIdentity);
            } else if (entry.name().equals("plans")) {
                tree.mapping(entry).values().forEach(this::readPlan);
            } else if (entry.name().equals("prices")) {
                tree.mapping(entry).values().forEach(this::readPrice);
            } else if (ScalarKey.of(entry.path()) != null) {
                readScalar(entry);
            } else if (!entry.name().equals("budgets")) {
                tree.mapping(entry, KnownKeys.under(entry.name()))
                        .values()
                        .forEach(child -> readChild(entry.name(), child));
            }
        }
        return top;
    }

    private void readChild(String parent, Entry child) {
        String objection = KnownKeys.objection(child.name(), KnownKeys.under(parent), Set.of());
        if (objection != null) {
            problems.add(child.origin(), child.path(), objection);
        } else if (ScalarKey.of(child.path()) != null) {
            readScalar(child);
        } else {
            tree.mapping(child).values().forEach(this::readModel);
        }
    }

    private void readScalar(Entry entry) {
        ScalarKey key = ScalarKey.of(entry.path());
        String text = key != null && key.isList() && YamlTree.isList(entry) ? joined(entry) : tree.scalar(entry);
        if (text != null) {
            set(entry.path(), text, entry.origin(), entry.path());
        }
    }

    private String joined(Entry list) {
        List<String> texts = new ArrayList<>();
        for (Entry item : tree.items(list, "a list")) {
            String text = tree.scalar(item);
            if (text != null) {
                texts.add(text);
            }
        }
        return String.join(",", texts);
    }

    /**
     * Sets one plain value.
     *
     * @param path a {@link ScalarKey}'s
     * @param key what a problem is named by beside its origin; empty where the origin says it
     */
    void set(String path, String text, Origin origin, String key) {
        ScalarKey scalar = ScalarKey.of(path);
        if (scalar == null) {
            throw new IllegalStateException(path);
        }
        problems.read(origin, key, text, value -> {
            scalar.read(draft, value);
            origins.put(path, origin);
        });
    }

    private void readModel(Entry model) {
        Map<String, Entry> entries = tree.mapping(model, KnownKeys.MODEL);
        required(model, entries, "max-output");
        for (Entry entry : entries.values()) {
            String objection = KnownKeys.objection(entry.name(), KnownKeys.MODEL, Set.of());
            String text = objection == null ? tree.scalar(entry) : null;
            if (objection != null) {
                problems.add(entry.origin(), entry.path(), objection);
            } else if (text != null) {
                problems.read(entry.origin(), entry.path(), text, value -> {
                    draft.modelMaxOutput.put(model.name(), Numbers.parseMaxOutput(value));
                    origins.put(entry.path(), entry.origin());
                });
            }
        }
    }

    private void readPlan(Entry plan) {
        Map<String, Entry> entries = tree.mapping(plan, KnownKeys.PLAN);
        required(plan, entries, "multiplier");
        for (Entry entry : entries.values()) {
            String objection = KnownKeys.objection(entry.name(), KnownKeys.PLAN, KnownKeys.LATER_PLAN);
            String text = objection == null ? tree.scalar(entry) : null;
            if (objection != null) {
                problems.add(entry.origin(), entry.path(), objection);
            } else if (text != null) {
                problems.read(entry.origin(), entry.path(), text, value -> {
                    draft.plans.put(plan.name(), Numbers.parseMultiplier(value));
                    origins.put(entry.path(), entry.origin());
                });
            }
        }
    }

    private void readPrice(Entry model) {
        draft.prices.put(model.name(), new PricesReader(tree, problems).read(model));
        origins.put(model.path(), model.origin());
    }

    private void readIdentity(Entry entry) {
        String objection = Dimensions.identityObjection(entry.name());
        if (objection != null) {
            problems.add(entry.origin(), entry.path(), objection);
            return;
        }
        List<IdentitySource> sources = new ArrayList<>();
        for (Entry item : tree.items(entry, "a list such as [\"mdc:tenant\", \"literal:default\"]")) {
            String text = tree.scalar(item);
            if (text != null) {
                problems.read(item.origin(), item.path(), text, value -> sources.add(IdentityText.parse(value)));
            }
        }
        setIdentity(entry.name(), sources, entry.origin());
    }

    void setIdentity(String dimension, List<IdentitySource> sources, Origin origin) {
        draft.identity.put(dimension, List.copyOf(sources));
        origins.put("identity." + dimension, origin);
    }

    /** The second half: {@code budgets}. */
    void readBudgets(@Nullable Entry budgets) {
        if (budgets == null) {
            return;
        }
        Map<Object, String> seen = new HashMap<>();
        for (Entry row : tree.items(budgets, "a list of rows, each with scope and limits")) {
            readRow(row, seen);
        }
    }

    /** A dimension that no budget is kept for and whose name looks like a slip. */
    void checkIdentity() {
        for (String dimension : draft.identity.keySet()) {
            String meant = Dimensions.nearBuiltIn(dimension);
            Origin origin = origins.get("identity." + dimension);
            if (meant != null
                    && origin != null
                    && draft.budgets.stream().noneMatch(row -> row.dimensions().contains(dimension))) {
                problems.add(origin, "identity." + dimension, "no budget is kept for it; did you mean " + meant + "?");
            }
        }
    }

    /** One line for each limit in money where no price is known at all: it refuses every call. */
    List<String> withoutPrices() {
        List<String> lines = new ArrayList<>();
        boolean refuses = draft.prices.isEmpty() && draft.unknownPrice == Prices.Unknown.REFUSE;
        for (int i = 0; refuses && i < draft.budgets.size(); i++) {
            String path = "budgets[" + i + "]";
            if (draft.budgets.get(i).limits().stream().anyMatch(limit -> limit.unit() == LimitUnit.USD)) {
                lines.add(origins.getOrDefault(path, Origin.DEFAULT) + ": " + path
                        + ".limits: a limit in money, and nothing stands under prices: it refuses every call");
            }
        }
        return lines;
    }

    /** One line for each dimension whose budgets only code can bring to life. An empty list of sources says it is meant. */
    List<String> withoutSource() {
        List<String> lines = new ArrayList<>();
        Set<String> said = new HashSet<>(draft.identity.keySet());
        said.addAll(Dimensions.WITHOUT_IDENTITY);
        for (int i = 0; i < draft.budgets.size(); i++) {
            String path = "budgets[" + i + "]";
            for (String dimension : draft.budgets.get(i).dimensions()) {
                if (said.add(dimension)) {
                    lines.add(origins.getOrDefault(path, Origin.DEFAULT) + ": " + path + ".scope: " + dimension
                            + " has no source under identity: this budget applies only where the application's"
                            + " BudgetContext names one");
                }
            }
        }
        return lines;
    }

    private void readRow(Entry row, Map<Object, String> seen) {
        Map<String, Entry> entries = tree.mapping(row);
        for (Entry entry : entries.values()) {
            String objection = KnownKeys.rowObjection(entry.name());
            if (objection != null) {
                problems.add(entry.origin(), entry.path(), objection);
            }
        }
        Entry scope = required(row, entries, "scope");
        Entry limits = required(row, entries, "limits");
        String text = scope == null ? null : tree.scalar(scope);
        List<Limit> read = limits == null ? List.of() : readLimits(limits);
        Entry condition = entries.get(KnownKeys.WHEN);
        Map<String, String> when = condition == null ? Map.of() : readCondition(condition);
        if (scope != null && text != null) {
            problems.read(scope.origin(), scope.path(), text, value -> {
                ScopePattern pattern = ScopePattern.parse(value, draft.identity.keySet());
                String before = seen.putIfAbsent(List.of(pattern.byDimension(), when), row.path());
                if (before != null) {
                    throw InvalidValueException.found(
                            value,
                            before + " has the same scope" + (when.isEmpty() ? "" : " and condition")
                                    + "; write all limits there");
                }
                draft.budgets.add(new BudgetRow(pattern.dimensions(), pattern.values(), read, value, when));
                origins.put(row.path(), scope.origin());
            });
        }
    }

    private Map<String, String> readCondition(Entry condition) {
        Map<String, Entry> entries = tree.mapping(condition);
        Map<String, String> when = new LinkedHashMap<>();
        for (Entry entry : entries.values()) {
            String objection = KnownKeys.objection(entry.name(), KnownKeys.CONDITIONS, Set.of());
            String text = objection == null ? tree.scalar(entry) : null;
            if (objection != null) {
                problems.add(entry.origin(), entry.path(), objection);
            } else if (text != null) {
                problems.read(entry.origin(), entry.path(), text, value -> {
                    if (value.isEmpty() || (entry.name().equals(Dimensions.PLAN) && !draft.plans.containsKey(value))) {
                        throw InvalidValueException.notAllowed(value, ofCondition(entry.name()));
                    }
                    when.put(entry.name(), value);
                });
            }
        }
        if (entries.isEmpty() && YamlTree.isMapping(condition)) {
            problems.add(
                    condition.origin(),
                    condition.path(),
                    "found nothing; allowed: " + String.join(", ", KnownKeys.CONDITIONS) + ", each with a value");
        }
        return Collections.unmodifiableMap(when);
    }

    private String ofCondition(String name) {
        if (!name.equals(Dimensions.PLAN)) {
            return "a value";
        }
        return draft.plans.isEmpty()
                ? "a plan that stands under plans"
                : "the plans " + String.join(", ", draft.plans.keySet());
    }

    /** The plan that callers without one have must be known. */
    void checkDefaultPlan() {
        String byDefault = draft.defaultPlan;
        if (byDefault != null && !draft.plans.containsKey(byDefault)) {
            problems.add(
                    origins.getOrDefault(ScalarKey.DEFAULT_PLAN.path, Origin.DEFAULT),
                    ScalarKey.DEFAULT_PLAN.path,
                    "found " + InvalidValueException.quote(byDefault) + "; allowed: " + ofCondition(Dimensions.PLAN));
        }
    }

    private @Nullable Entry required(Entry parent, Map<String, Entry> entries, String key) {
        Entry entry = entries.get(key);
        if (entry == null && YamlTree.isMapping(parent)) {
            problems.add(parent.origin(), parent.path(), "\"" + key + "\" is missing");
        }
        return entry;
    }

    private List<Limit> readLimits(Entry limits) {
        List<Limit> read = new ArrayList<>();
        Set<Object> seen = new HashSet<>();
        List<Entry> items = tree.items(limits, "a list such as [\"100k tokens per 1h\", \"3 concurrent\"]");
        for (Entry item : items) {
            String text = tree.scalar(item);
            if (text != null) {
                problems.read(item.origin(), item.path(), text, value -> {
                    Limit limit = LimitParser.parse(value, draft.zone);
                    if (limit.unlimited() && items.size() > 1) {
                        throw InvalidValueException.found(value, "unlimited stands alone, beside no other limit");
                    }
                    if (!seen.add(List.of(limit.unit(), limit.window()))) {
                        throw InvalidValueException.found(
                                value, "another limit of this row has the same unit and window");
                    }
                    read.add(limit);
                });
            }
        }
        if (items.isEmpty() && YamlTree.isList(limits)) {
            problems.add(
                    limits.origin(), limits.path(), "found an empty list; allowed: at least one limit, or unlimited");
        }
        return List.copyOf(read);
    }
}
