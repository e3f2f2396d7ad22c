package io.tokenbudget.core.config;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The names of dimensions. */
final class Dimensions {
    /** Those that every part of Token Budget knows, beside {@code global}. */
    static final List<String> BUILT_IN =
            List.of("agent", "tenant", "user", "project", "workspace", "tool", "model", "run");

    /** Those whose value a call or a run brings along. */
    static final Set<String> WITHOUT_IDENTITY = Set.of("global", "model", "run");

    /** No dimension, and found like one. */
    static final String PLAN = "plan";

    /** Shorter names of the user's own are too like each other to tell a slip. */
    private static final int SHORTEST_TELLING = 5;

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]*");

    private Dimensions() {}

    /**
     * What speaks against {@code name} as a dimension of a scope, or null.
     *
     * @param known names of the user's own that are meant as they are written
     */
    static @Nullable String objection(String name, Collection<String> known) {
        if (name.equals(PLAN)) {
            return "plan is no dimension: a row for one is written \"scope: tenant\" with \"when: {plan: ...}\"";
        }
        if (BUILT_IN.contains(name) || known.contains(name)) {
            return null;
        }
        String objection = nameObjection(name);
        String meant = objection == null ? near(name, known) : null;
        return meant == null
                ? objection
                : "did you mean " + meant + "? If " + name + " is a dimension of your own, name it under identity";
    }

    /** What speaks against {@code name} as a key of {@code identity}, or null. */
    static @Nullable String identityObjection(String name) {
        return name.equals("model")
                ? "the model is the one each request names, identity has no part in it"
                : nameObjection(name);
    }

    private static @Nullable String nameObjection(String name) {
        if (name.equals("global")) {
            return "global stands alone";
        }
        return NAME.matcher(name).matches()
                ? null
                : InvalidValueException.quote(name) + " is not a dimension; allowed: global, "
                        + String.join(", ", BUILT_IN)
                        + ", or a name of your own of letters, digits, \"-\", \"_\" and \".\"";
    }

    private static @Nullable String near(String name, Collection<String> known) {
        String builtIn = nearBuiltIn(name);
        if (builtIn != null) {
            return builtIn;
        }
        for (String own : known) {
            if (own.length() >= SHORTEST_TELLING && Names.distance(name, own) <= 1) {
                return own;
            }
        }
        return null;
    }

    /** The built-in dimension that {@code name} may be a slip for, or null. */
    static @Nullable String nearBuiltIn(String name) {
        if (!BUILT_IN.contains(name)) {
            for (String builtIn : BUILT_IN) {
                if (Names.distance(name, builtIn) <= 1) {
                    return builtIn;
                }
            }
        }
        return null;
    }
}
