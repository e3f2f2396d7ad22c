package io.tokenbudget.core.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A configuration as a tree in which everything that stands in a file knows its line. What has the wrong form becomes a
 * problem.
 */
final class YamlTree {
    private final String source;
    private final Problems problems;

    YamlTree(String source, Problems problems) {
        this.source = source;
        this.problems = problems;
    }

    /** A value, or a key with its value: where it stands, and the path to it. */
    record Entry(String name, String path, Origin origin, Node node) {}

    /** The entries at the top of the file; none if the file is empty or not YAML. */
    Map<String, Entry> top(String text) {
        try {
            // Such a key is refused all the same, but by us, with its line.
            LoadSettings settings = LoadSettings.builder()
                    .setLabel(source)
                    .setAllowNonScalarKeys(true)
                    .build();
            Node root = new Compose(settings).composeString(text).orElse(null);
            return root == null || isNull(root) ? Map.of() : top(root);
        } catch (MarkedYamlEngineException notYaml) {
            int line = notYaml.getProblemMark().map(Mark::getLine).orElse(0) + 1;
            problems.add(new Origin(source, line), "", "not YAML: " + explain(notYaml));
        } catch (ReaderException notText) {
            problems.add(
                    new Origin(source, lineOf(text, notText.getPosition())),
                    "",
                    "not YAML: a character " + String.format("U+%04X", notText.getCodePoint()) + " is not allowed");
        } catch (YamlEngineException notYaml) {
            problems.add(new Origin(source, 1), "", "not YAML: " + notYaml.getMessage());
        } catch (StackOverflowError bottomless) {
            problems.add(new Origin(source, 1), "", "not a configuration: nested thousands of levels deep");
        }
        return Map.of();
    }

    /** The entries at the top of what was read elsewhere. */
    Map<String, Entry> top(Node root) {
        return mapping(new Entry("", "", origin(root), root));
    }

    private static String explain(MarkedYamlEngineException notYaml) {
        String context =
                notYaml.getContext() == null || notYaml.getContext().isEmpty() ? "" : notYaml.getContext() + ", ";
        String text = context + notYaml.getProblem();
        return text.contains("alias") ? text + "; a word that begins with * needs quotes" : text;
    }

    private static int lineOf(String text, int position) {
        return 1
                + (int) text.codePoints()
                        .limit(Math.max(0, position))
                        .filter(c -> c == '\n')
                        .count();
    }

    /** The same, where only {@code keys} may stand: a plain value in place of the one key it can be for is shown there. */
    Map<String, Entry> mapping(Entry parent, Collection<String> keys) {
        if (keys.size() == 1 && parent.node() instanceof ScalarNode scalar && !isNull(scalar)) {
            String value = scalar.getValue().strip();
            problems.add(
                    parent.origin(),
                    parent.path(),
                    "found " + InvalidValueException.quote(value) + "; write " + parent.name() + ": {"
                            + keys.iterator().next() + ": " + value + "}");
            return Map.of();
        }
        return mapping(parent);
    }

    /** The entries of a mapping in their order; a key that stands there twice is a problem. */
    Map<String, Entry> mapping(Entry parent) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        if (!(parent.node() instanceof MappingNode mapping)) {
            problems.add(parent.origin(), parent.path(), wrongForm(parent.node(), "keys with values, one a line"));
            return entries;
        }
        for (NodeTuple tuple : mapping.getValue()) {
            Origin origin = origin(tuple.getKeyNode());
            if (tuple.getKeyNode() instanceof ScalarNode key) {
                String name = key.getValue();
                String path = parent.path().isEmpty() ? name : parent.path() + '.' + name;
                Entry before = entries.putIfAbsent(name, new Entry(name, path, origin, tuple.getValueNode()));
                if (before != null) {
                    int line = before.origin().line();
                    problems.add(
                            origin, path, "the key stands here twice" + (line > 0 ? ", first in line " + line : ""));
                }
            } else {
                problems.add(origin, parent.path(), "found a list or mapping as a key; allowed: a word");
            }
        }
        return entries;
    }

    /** The items of a list; a single value counts as a list of one. */
    List<Entry> items(Entry parent, String allowed) {
        List<Entry> items = new ArrayList<>();
        if (parent.node() instanceof SequenceNode sequence) {
            for (Node item : sequence.getValue()) {
                String path = parent.path() + '[' + items.size() + ']';
                items.add(new Entry(parent.name(), path, origin(item), item));
            }
        } else if (parent.node() instanceof ScalarNode && !isNull(parent.node())) {
            items.add(parent);
        } else {
            problems.add(parent.origin(), parent.path(), wrongForm(parent.node(), allowed));
        }
        return items;
    }

    /** The text of a plain value, or null if it has another form. */
    @Nullable
    String scalar(Entry entry) {
        if (entry.node() instanceof ScalarNode scalar && !isNull(scalar)) {
            if (scalar.getTag().getValue().startsWith(Tag.PREFIX)) {
                return scalar.getValue().strip();
            }
            problems.add(entry.origin(), entry.path(), "found the tag " + scalar.getTag() + "; allowed: plain values");
        } else {
            problems.add(entry.origin(), entry.path(), wrongForm(entry.node(), "one value"));
        }
        return null;
    }

    private static String wrongForm(Node node, String allowed) {
        String found = switch (node.getNodeType()) {
            case SEQUENCE -> "a list";
            case MAPPING -> "keys with values";
            default -> isNull(node) ? "nothing" : InvalidValueException.quote(((ScalarNode) node).getValue());
        };
        return "found " + found + "; allowed: " + allowed;
    }

    static boolean isMapping(Entry entry) {
        return entry.node() instanceof MappingNode;
    }

    static boolean isList(Entry entry) {
        return entry.node() instanceof SequenceNode;
    }

    private static boolean isNull(Node node) {
        return node.getTag().equals(Tag.NULL);
    }

    private Origin origin(Node node) {
        return new Origin(
                source, node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0));
    }
}
