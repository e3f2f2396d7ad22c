package io.tokenbudget.core.config;

import io.tokenbudget.core.config.YamlTree.Entry;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.Price;
import io.tokenbudget.core.spi.Price.Rates;
import io.tokenbudget.core.spi.Price.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads {@code prices}. Not thread-safe. */
final class PricesReader {
    private final YamlTree tree;
    private final Problems problems;

    PricesReader(YamlTree tree, Problems problems) {
        this.tree = tree;
        this.problems = problems;
    }

    /** What one model costs; what is wrong with it becomes a problem. */
    Price read(Entry model) {
        Map<String, Entry> entries = tree.mapping(model, KnownKeys.PRICE);
        Map<String, Long> amounts = new HashMap<>();
        List<Step> steps = new ArrayList<>();
        for (Entry entry : entries.values()) {
            String objection = KnownKeys.objection(entry.name(), KnownKeys.PRICE, Set.of());
            if (objection != null) {
                problems.add(entry.origin(), entry.path(), objection);
            } else if (entry.name().equals(KnownKeys.ABOVE)) {
                tree.mapping(entry).values().forEach(step -> readStep(step, steps));
            } else {
                readAmount(entry, amounts);
            }
        }
        boolean byTheCall = entries.containsKey(KnownKeys.REQUEST) || entries.containsKey(KnownKeys.IMAGE);
        if (YamlTree.isMapping(model)
                && (!byTheCall || entries.keySet().stream().anyMatch(KnownKeys.RATES::contains))) {
            requireBoth(model, entries);
        }
        steps.sort(Comparator.comparingLong(Step::above));
        return new Price(
                rates(amounts),
                List.copyOf(steps),
                amounts.getOrDefault(KnownKeys.REQUEST, 0L),
                amounts.getOrDefault(KnownKeys.IMAGE, 0L));
    }

    private void readStep(Entry step, List<Step> into) {
        Map<String, Entry> entries = tree.mapping(step, KnownKeys.RATES);
        Map<String, Long> amounts = new HashMap<>();
        for (Entry entry : entries.values()) {
            String objection = KnownKeys.objection(entry.name(), KnownKeys.RATES, Set.of());
            if (objection != null) {
                problems.add(entry.origin(), entry.path(), objection);
            } else {
                readAmount(entry, amounts);
            }
        }
        if (YamlTree.isMapping(step)) {
            requireBoth(step, entries);
        }
        problems.read(step.origin(), step.path(), step.name(), value -> {
            long above = Numbers.parse(value, 1, Limit.MAX_AMOUNT);
            if (into.stream().anyMatch(other -> other.above() == above)) {
                throw InvalidValueException.found(value, "the rates above so many input tokens stand here twice");
            }
            into.add(new Step(above, rates(amounts)));
        });
    }

    /** A rate that was forgotten would make half of each call free. */
    private void requireBoth(Entry parent, Map<String, Entry> entries) {
        for (String key : List.of(KnownKeys.INPUT, KnownKeys.OUTPUT)) {
            if (!entries.containsKey(key)) {
                problems.add(parent.origin(), parent.path(), "\"" + key + "\" is missing: write 0 if it costs nothing");
            }
        }
    }

    private void readAmount(Entry entry, Map<String, Long> into) {
        String text = tree.scalar(entry);
        if (text != null) {
            boolean rate = KnownKeys.RATES.contains(entry.name());
            long most = rate ? Price.MOST_FOR_A_MILLION : Limit.MAX_AMOUNT;
            problems.read(
                    entry.origin(), entry.path(), text, value -> into.put(entry.name(), PriceText.parse(value, most)));
        }
    }

    private static Rates rates(Map<String, Long> amounts) {
        long input = amounts.getOrDefault(KnownKeys.INPUT, 0L);
        long output = amounts.getOrDefault(KnownKeys.OUTPUT, 0L);
        return new Rates(
                input,
                amounts.getOrDefault(KnownKeys.CACHED_INPUT, input),
                amounts.getOrDefault(KnownKeys.CACHE_WRITE, input),
                output,
                amounts.getOrDefault(KnownKeys.REASONING, output));
    }
}
