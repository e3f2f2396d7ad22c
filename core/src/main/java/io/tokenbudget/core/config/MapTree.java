package io.tokenbudget.core.config;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A framework's nested map as the tree that a YAML file would be, without lines. It only undoes what frameworks do to keys
 * and values; what is wrong stays wrong and is told by who reads the tree. Stateless.
 */
final class MapTree {
    private MapTree() {}

    /** @param exact the one answer for a plain key's path, or null */
    static Node of(Map<?, ?> nested, Function<String, @Nullable String> exact) {
        Map<String, @Nullable Object> top = MapKeys.apart(nested);
        passOverTheAgents(top);
        for (String path : ScalarKey.paths()) {
            String value = exact.apply(path);
            if (value != null) {
                MapKeys.replace(top, List.of(path.split("\\.", -1)), value);
            }
        }
        return mapping(top, union(KnownKeys.TOP, KnownKeys.LATER_TOP), MapTree::underTop);
    }

    private static void passOverTheAgents(Map<String, @Nullable Object> top) {
        top.remove("config");
        if (top.get("agent") instanceof Map<?, ?> agent) {
            agent.remove("log");
            agent.remove("active");
            if (agent.isEmpty()) {
                top.remove("agent");
            }
        }
    }

    private static Node underTop(String key, @Nullable Object value) {
        return switch (key) {
            case "budgets" -> list(value, MapTree::row);
            case "identity" -> identity(value);
            case "prices" -> prices(value);
            case "plans" -> named(value, KnownKeys.PLAN);
            default -> {
                Set<String> children = KnownKeys.under(key);
                yield children.isEmpty() ? any(value) : section(value, children, MapTree::underSection);
            }
        };
    }

    private static Node underSection(String key, @Nullable Object value) {
        return key.equals("models") ? named(value, KnownKeys.MODEL) : any(value);
    }

    private static Node row(@Nullable Object value) {
        return section(value, union(KnownKeys.ROW, KnownKeys.LATER_ROW), (key, each) -> switch (key) {
            case "limits" -> list(each, MapTree::any);
            case KnownKeys.WHEN -> section(each, KnownKeys.CONDITIONS, (name, condition) -> any(condition));
            default -> any(each);
        });
    }

    /** A dimension's name may have been taken apart at its dots. */
    private static Node identity(@Nullable Object value) {
        Map<String, @Nullable Object> dimensions = new LinkedHashMap<>();
        if (!(emptyIsMapping(value) instanceof Map<?, ?> map)) {
            return any(value);
        }
        join("", map, dimensions);
        return mapping(dimensions, Set.of(), (name, sources) -> list(sources, MapTree::any));
    }

    private static void join(String prefix, Map<?, ?> map, Map<String, @Nullable Object> into) {
        map.forEach((key, value) -> {
            String name = prefix + key;
            if (value instanceof Map<?, ?> below && !isList(below)) {
                join(name + '.', below, into);
            } else {
                into.put(name, value);
            }
        });
    }

    /** A model's name too, and a plan's: what is itself a mapping belongs to a longer name. */
    private static Node named(@Nullable Object value, List<String> keys) {
        Map<String, @Nullable Object> models = new LinkedHashMap<>();
        if (!(emptyIsMapping(value) instanceof Map<?, ?> map)) {
            return any(value);
        }
        map.forEach((key, each) -> joinModel(String.valueOf(key), each, models, inner -> false));
        return mapping(models, Set.of(), (name, model) -> section(model, keys, (key, each) -> any(each)));
    }

    /** @param ofModel which mappings belong to the model, by their key, and not to its name */
    private static void joinModel(
            String name, @Nullable Object value, Map<String, @Nullable Object> into, Predicate<String> ofModel) {
        if (!(value instanceof Map<?, ?> map)) {
            into.put(name, value);
            return;
        }
        Map<String, @Nullable Object> own = new LinkedHashMap<>();
        map.forEach((key, each) -> {
            if (each instanceof Map<?, ?> && !ofModel.test(String.valueOf(key))) {
                joinModel(name + '.' + key, each, into, ofModel);
            } else {
                own.put(String.valueOf(key), each);
            }
        });
        if (!own.isEmpty() || map.isEmpty()) {
            into.put(name, own);
        }
    }

    private static Node prices(@Nullable Object value) {
        if (!(emptyIsMapping(value) instanceof Map<?, ?> map)) {
            return any(value);
        }
        Map<String, @Nullable Object> models = new LinkedHashMap<>();
        map.forEach((key, each) -> joinModel(String.valueOf(key), each, models, MapTree::isSteps));
        return mapping(models, Set.of(), (name, model) -> section(model, KnownKeys.PRICE, MapTree::underPrice));
    }

    private static Node underPrice(String key, @Nullable Object value) {
        return key.equals(KnownKeys.ABOVE)
                ? section(value, Set.of(), (above, rates) -> section(rates, KnownKeys.RATES, (name, each) -> any(each)))
                : any(value);
    }

    private static boolean isSteps(String key) {
        return MapKeys.respelled(key, KnownKeys.PRICE).equals(KnownKeys.ABOVE);
    }

    private static Node section(
            @Nullable Object value, Collection<String> known, BiFunction<String, @Nullable Object, Node> child) {
        return emptyIsMapping(value) instanceof Map<?, ?> map ? mapping(map, known, child) : any(value);
    }

    private static Node mapping(
            Map<?, ?> map, Collection<String> known, BiFunction<String, @Nullable Object, Node> child) {
        List<NodeTuple> tuples = new ArrayList<>();
        map.forEach((key, value) -> {
            String name = MapKeys.respelled(String.valueOf(key), known);
            tuples.add(new NodeTuple(text(name), child.apply(name, value)));
        });
        return new MappingNode(Tag.MAP, tuples, FlowStyle.BLOCK);
    }

    private static Node list(@Nullable Object value, Function<@Nullable Object, Node> item) {
        Collection<?> items;
        if (value instanceof Map<?, ?> map && isList(map)) {
            items = map.entrySet().stream()
                    .sorted(Comparator.comparing(entry -> Integer.valueOf(String.valueOf(entry.getKey()))))
                    .map(Map.Entry::getValue)
                    .toList();
        } else if (value instanceof Collection<?> collection) {
            items = collection;
        } else if (value instanceof CharSequence text
                && (text.isEmpty() || text.toString().indexOf(',') >= 0)) {
            items = MapKeys.parts(text.toString());
        } else {
            return any(value);
        }
        return new SequenceNode(Tag.SEQ, items.stream().map(item).toList(), FlowStyle.BLOCK);
    }

    private static Node any(@Nullable Object value) {
        if (value == null) {
            return new ScalarNode(Tag.NULL, "", ScalarStyle.PLAIN);
        }
        if (value instanceof Collection<?> || (value instanceof Map<?, ?> map && isList(map))) {
            return list(value, MapTree::any);
        }
        if (value instanceof Map<?, ?> map) {
            return mapping(map, Set.of(), (key, each) -> any(each));
        }
        boolean fraction = value instanceof Double || value instanceof Float;
        return text(fraction ? new BigDecimal(value.toString()).toPlainString() : value.toString());
    }

    private static Node text(String text) {
        return new ScalarNode(Tag.STR, text, ScalarStyle.PLAIN);
    }

    private static @Nullable Object emptyIsMapping(@Nullable Object value) {
        return value instanceof CharSequence text && text.toString().isBlank() ? Map.of() : value;
    }

    private static boolean isList(Map<?, ?> map) {
        return MapKeys.areIndexes(map.keySet().stream().map(String::valueOf).toList());
    }

    private static Set<String> union(Collection<String> some, Collection<String> others) {
        Set<String> union = new LinkedHashSet<>(some);
        union.addAll(others);
        return union;
    }
}
