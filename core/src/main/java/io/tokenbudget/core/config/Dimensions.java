package io.tokenbudget.core.config;

import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The names of dimensions. */
final class Dimensions {
    /** Those that every part of Token Budget knows, beside {@code global}. */
    static final List<String> BUILT_IN =
            List.of("agent", "tenant", "user", "project", "workspace", "tool", "model", "run");

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]*");

    private Dimensions() {}

    /**
     * What speaks against {@code name} as a dimension of a scope, or null.
     *
     * @param known names of the user's own that are meant as they are written
     */
    static @Nullable String objection(String name, Collection<String> known) {
        if (BUILT_IN.contains(name) || known.contains(name)) {
            return null;
        }
        String objection = nameObjection(name);
        String meant = objection == null ? nearBuiltIn(name) : null;
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
        if (name.equals("plan")) {
            return "plans are not supported yet";
        }
        return NAME.matcher(name).matches()
                ? null
                : InvalidValueException.quote(name) + " is not a dimension; allowed: global, "
                        + String.join(", ", BUILT_IN)
                        + ", or a name of your own of letters, digits, \"-\", \"_\" and \".\"";
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
