package io.tokenbudget.core.config;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which keys stand where: those of this version, and those that a later one will know. */
final class KnownKeys {
    static final String WHEN = "when";
    static final List<String> ROW = List.of("scope", "limits", WHEN);
    static final List<String> CONDITIONS = List.of("user", "project", "workspace", "plan");
    static final List<String> PLAN = List.of("multiplier");
    static final Set<String> LATER_PLAN = Set.of("priority");
    static final List<String> MODEL = List.of("max-output");
    static final String INPUT = "input";
    static final String CACHED_INPUT = "cached-input";
    static final String CACHE_WRITE = "cache-write";
    static final String OUTPUT = "output";
    static final String REASONING = "reasoning";
    static final String REQUEST = "request";
    static final String IMAGE = "image";
    static final String ABOVE = "above";
    static final List<String> RATES = List.of(INPUT, CACHED_INPUT, CACHE_WRITE, OUTPUT, REASONING);
    static final List<String> PRICE =
            List.of(INPUT, CACHED_INPUT, CACHE_WRITE, OUTPUT, REASONING, REQUEST, IMAGE, ABOVE);
    static final Set<String> TOP = top();

    static final Set<String> LATER_TOP =
            Set.of("on-limit", "max-wait", "store", "redis", "on-store-failure", "journal", "warn-at");
    static final Set<String> LATER_ROW = Set.of("mode", "observe", "warn-at", "on-limit", "max-wait");

    private KnownKeys() {}

    private static Set<String> top() {
        Set<String> top = new LinkedHashSet<>();
        ScalarKey.paths().forEach(path -> top.add(path.split("\\.", -1)[0]));
        top.add("identity");
        top.add("plans");
        top.add("prices");
        top.add("budgets");
        return top;
    }

    /** The keys under a top-level key. */
    static Set<String> under(String parent) {
        Set<String> children = new LinkedHashSet<>();
        for (String path : ScalarKey.paths()) {
            if (path.startsWith(parent + '.')) {
                children.add(path.substring(parent.length() + 1));
            }
        }
        if (parent.equals("estimates")) {
            children.add("models");
        }
        return children;
    }

    /** What speaks against a key at the top of the file, or null. */
    static @Nullable String topObjection(String key) {
        if (key.equals("token-budget")) {
            return "in a file of its own the keys stand at the top, without \"token-budget:\"";
        }
        return objection(key, TOP, LATER_TOP);
    }

    /** What speaks against a key of a row of {@code budgets}, or null. */
    static @Nullable String rowObjection(String key) {
        return objection(key, ROW, LATER_ROW);
    }

    static @Nullable String objection(String key, Collection<String> known, Set<String> later) {
        if (known.contains(key)) {
            return null;
        }
        if (later.contains(key)) {
            return "not supported yet: this version cannot do what the key asks for, remove it";
        }
        String nearest = Names.nearest(key, known);
        return nearest == null
                ? "unknown key; allowed: " + String.join(", ", known)
                : "unknown key, did you mean \"" + nearest + "\"?";
    }
}
