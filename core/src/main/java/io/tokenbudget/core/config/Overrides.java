package io.tokenbudget.core.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Single keys from system properties ({@code token-budget.status.port}) and the environment
 * ({@code TOKEN_BUDGET_STATUS_PORT}).
 *
 * <p>A property that is no key is a problem: nobody else uses the prefix. A variable that is no key is left alone, with
 * a warning where it is near one: Kubernetes makes such variables of its own for a service named {@code token-budget}.
 */
final class Overrides {
    private static final String PROPERTY_PREFIX = "token-budget.";
    private static final String VARIABLE_PREFIX = "TOKEN_BUDGET_";
    private static final String IDENTITY = "identity.";

    /** What begins a variable of ours, and what may have been meant to. */
    private static final Pattern LIKE_A_VARIABLE = Pattern.compile("(?i)token[_.-]?budget[_.-]?");

    /** Of a service, not of a person: {@code ..._SERVICE_HOST}, {@code ..._PORT_80_TCP}. */
    private static final Pattern OF_KUBERNETES = Pattern.compile(".*_(SERVICE_(HOST|PORT)|PORT)(_.*)?");

    /** Lists and tables, in the spelling of variables. */
    private static final Pattern ONLY_A_FILE = Pattern.compile("(?i)(BUDGETS|PRICES|PLANS|ESTIMATES_MODELS)(_.*)?");

    /** What the agent reads itself. */
    private static final List<String> OF_THE_AGENT = List.of("config", "agent.log");

    /** How a second copy of the agent finds the first. */
    private static final String MARK_OF_THE_AGENT = "agent.active";

    private final Map<String, String> properties;
    private final Map<String, String> environment;
    private final Problems problems;
    private final List<String> warnings;

    Overrides(
            Map<String, String> properties, Map<String, String> environment, Problems problems, List<String> warnings) {
        this.properties = new TreeMap<>(properties);
        this.environment = new TreeMap<>(environment);
        this.problems = problems;
        this.warnings = warnings;
    }

    /** Sets what is overridden; the file's plain values have been read before. */
    void applyTo(SettingsReader reader) {
        environment.forEach((name, value) -> {
            if (LIKE_A_VARIABLE.matcher(name).lookingAt() && !value.isBlank()) {
                applyVariable(name, value.strip(), reader);
            }
        });
        properties.forEach((name, value) -> {
            if (name.startsWith(PROPERTY_PREFIX)) {
                applyProperty(name, value.strip(), reader);
            }
        });
    }

    private void applyProperty(String name, String value, SettingsReader reader) {
        String path = name.substring(PROPERTY_PREFIX.length());
        if (OF_THE_AGENT.contains(path) || path.equals(MARK_OF_THE_AGENT)) {
            return;
        }
        Origin origin = new Origin("system property " + name, 0);
        String objection = objection(path);
        if (objection == null) {
            apply(path, value, origin, reader);
        } else {
            problems.add(origin, "", objection);
        }
    }

    private static @Nullable String objection(String path) {
        String top = path.split("[.\\[]", -1)[0];
        if (ScalarKey.of(path) != null || (path.startsWith(IDENTITY) && path.length() > IDENTITY.length())) {
            return null;
        }
        if (top.equals("budgets")
                || top.equals("prices")
                || top.equals("plans")
                || path.startsWith("estimates.models")) {
            return "only a file can say this";
        }
        String later = KnownKeys.topObjection(top);
        if (later != null && later.startsWith("not supported yet")) {
            return later;
        }
        List<String> known = new ArrayList<>(OF_THE_AGENT);
        known.addAll(ScalarKey.paths());
        String nearest = Names.nearest(path, known);
        return nearest == null
                ? "unknown key; allowed: " + String.join(", ", known) + ", identity.<dimension>"
                : "unknown key, did you mean \"" + PROPERTY_PREFIX + nearest + "\"?";
    }

    /** What {@link #applyTo} warns of where it is not this that reads them. */
    static List<String> slips(Map<String, String> environment, Collection<String> ownDimensions) {
        Overrides none = new Overrides(Map.of(), environment, new Problems(), new ArrayList<>());
        Map<String, String> paths = pathsByVariable(ownDimensions);
        none.environment.forEach((name, value) -> {
            if (LIKE_A_VARIABLE.matcher(name).lookingAt() && !value.isBlank() && !paths.containsKey(name)) {
                none.warnOfSlip(name, paths);
            }
        });
        return none.warnings;
    }

    private void applyVariable(String name, String value, SettingsReader reader) {
        Map<String, String> paths = pathsByVariable(reader.draft.identity.keySet());
        String path = paths.get(name);
        if (path == null) {
            warnOfSlip(name, paths);
        } else if (OF_THE_AGENT.contains(path)) {
            return;
        } else if (path.equals(ScalarKey.STATUS_PORT.path) && value.startsWith("tcp://")) {
            warnings.add("environment variable " + name + " is ignored: Kubernetes made it for a service of that name");
        } else if (!properties.containsKey(PROPERTY_PREFIX + path)) {
            apply(path, value, new Origin("environment variable " + name, 0), reader);
        }
    }

    private void warnOfSlip(String name, Map<String, String> paths) {
        if (isOfAFile(name)) {
            warnings.add("environment variable " + name + " is ignored: only a file can say this");
            return;
        }
        String nearest = nearest(name, paths);
        if (nearest != null) {
            warnings.add("environment variable " + name + " is no key and is ignored: did you mean " + nearest + "?");
        }
    }

    /** Whether somebody meant with it what variables cannot say, such as a row of budgets. */
    private static boolean isOfAFile(String name) {
        return ONLY_A_FILE
                        .matcher(LIKE_A_VARIABLE.matcher(name).replaceFirst(""))
                        .matches()
                && !OF_KUBERNETES.matcher(name).matches();
    }

    /** By what follows the prefix: that alone tells one variable from another. */
    private static @Nullable String nearest(String name, Map<String, String> paths) {
        Matcher prefix = LIKE_A_VARIABLE.matcher(name);
        String key = prefix.lookingAt() ? name.substring(prefix.end()) : name;
        List<String> keys = paths.keySet().stream()
                .map(variable -> variable.substring(VARIABLE_PREFIX.length()))
                .toList();
        String nearest = Names.nearest(key, keys);
        if (nearest != null) {
            return VARIABLE_PREFIX + nearest;
        }
        boolean config = key.toUpperCase(Locale.ROOT).startsWith("CONFIG");
        return config && !OF_KUBERNETES.matcher(name).matches() ? variable("config") : null;
    }

    private static Map<String, String> pathsByVariable(Collection<String> ownDimensions) {
        List<String> paths = new ArrayList<>(OF_THE_AGENT);
        paths.addAll(ScalarKey.paths());
        Dimensions.BUILT_IN.forEach(dimension -> paths.add(IDENTITY + dimension));
        paths.add(IDENTITY + Dimensions.PLAN);
        ownDimensions.forEach(dimension -> paths.add(IDENTITY + dimension));
        Map<String, String> byVariable = new LinkedHashMap<>();
        paths.forEach(path -> byVariable.put(variable(path), path));
        return byVariable;
    }

    /** {@code TOKEN_BUDGET_STATUS_PORT}. */
    static String variable(String path) {
        return VARIABLE_PREFIX + path.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    private void apply(String path, String value, Origin origin, SettingsReader reader) {
        if (path.startsWith(IDENTITY)) {
            applyIdentity(path.substring(IDENTITY.length()), value, origin, reader);
        } else {
            reader.set(path, value, origin, "");
        }
    }

    private void applyIdentity(String dimension, String value, Origin origin, SettingsReader reader) {
        String objection = Dimensions.identityObjection(dimension);
        if (objection != null) {
            problems.add(origin, "", objection);
            return;
        }
        List<IdentitySource> sources = new ArrayList<>();
        for (String source : value.split(",", -1)) {
            problems.read(origin, "", source.strip(), text -> sources.add(IdentityText.parse(text)));
        }
        reader.setIdentity(dimension, sources, origin);
    }
}
