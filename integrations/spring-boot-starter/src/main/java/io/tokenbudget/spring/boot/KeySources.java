package io.tokenbudget.spring.boot;

import io.tokenbudget.core.config.MapSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Where the application's configuration comes from, without variables of ours that are empty, and those that Kubernetes makes for
 * a service whose name is like ours. Immutable.
 */
record KeySources(ConfigurableEnvironment environment, List<PropertySource<?>> all) {
    /** {@code TOKENBUDGET_SERVICE_HOST}, {@code TOKENBUDGET_REDIS_PORT_6379_TCP_ADDR}; no key of ours is spelled so. */
    private static final Pattern OF_A_SERVICE = Pattern.compile(
            "TOKEN_?BUDGET(_.*)?_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)");

    /** Is told from a key by its value alone. */
    private static final Pattern PORT_OF_A_SERVICE = Pattern.compile("TOKEN_?BUDGET(_.*)?_PORT");

    private static final Pattern ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

    private static final String PREFIX = "TOKENBUDGET_";

    private static final String WITH_DASH = "TOKEN_BUDGET_";

    private static final Pattern OURS = Pattern.compile("(?i)TOKEN[-_.]?BUDGET[-_.]");

    private static final Pattern OF_A_ROW = Pattern.compile(WITH_DASH + "(BUDGETS_\\d+_.+)");

    /** What stands below names that are the user's, so that nobody but Spring Boot can tell where they end. */
    private static final Pattern BELOW_A_NAME = Pattern.compile(WITH_DASH + "((?:PRICES|ESTIMATES_MODELS)_.+)");

    /** Keys of the starter alone. */
    private static final Set<String> OF_THE_STARTER = Set.of(WITH_DASH + "ENABLED", WITH_DASH + "ASPECT_ORDER");

    /** By what stands above the names of models: a key with one, in whatever spelling. */
    private static final Map<String, Pattern> NAMES_OF_MODELS = Map.of(
            "estimates.models", Pattern.compile("(?i)token[-_]?budget\\.estimates\\.models\\.(.+)\\.max[-_]?output"),
            "prices", Pattern.compile("(?i)token[-_]?budget\\.prices\\.(.+?)(?:\\.above[.\\[].*)?\\.[a-z_-]+"));

    /** What Spring Boot keeps of a name that does not stand in brackets. */
    private static final Pattern KEPT = Pattern.compile("[\\p{Alnum}._-]+");

    static KeySources of(Environment environment) {
        if (!(environment instanceof ConfigurableEnvironment configurable)) {
            throw new IllegalArgumentException(environment.getClass().getName() + " does not tell its sources");
        }
        List<PropertySource<?>> sources = new ArrayList<>();
        for (PropertySource<?> source : configurable.getPropertySources()) {
            if (!ConfigurationPropertySources.isAttachedConfigurationPropertySource(source)) {
                sources.add(source instanceof SystemEnvironmentPropertySource variables ? ours(variables) : source);
            }
        }
        return new KeySources(configurable, List.copyOf(sources));
    }

    /** Rows get the one spelling that Spring Boot finds when it looks for what stands below a key. */
    private static SystemEnvironmentPropertySource ours(SystemEnvironmentPropertySource variables) {
        Map<String, Object> ours = new LinkedHashMap<>();
        variables.getSource().forEach((name, value) -> {
            if (says(name, String.valueOf(value))) {
                ours.put(name, value);
                Matcher row = OF_A_ROW.matcher(name);
                if (row.matches()) {
                    ours.putIfAbsent(PREFIX + row.group(1), value);
                }
            }
        });
        return ours.equals(variables.getSource())
                ? variables
                : new SystemEnvironmentPropertySource(variables.getName(), ours);
    }

    /** A variable of ours that is empty counts as not set. */
    private static boolean says(String name, String value) {
        return !isOfAService(name, value)
                && !(value.isBlank() && OURS.matcher(name).lookingAt());
    }

    private static boolean isOfAService(String name, String value) {
        return OF_A_SERVICE.matcher(name).matches()
                || (PORT_OF_A_SERVICE.matcher(name).matches()
                        && ADDRESS.matcher(value).matches());
    }

    /** Asks all of them. */
    Binder binder() {
        return binder(all);
    }

    /** Asks all but the environment's variables. */
    Binder withoutVariables() {
        return binder(all.stream()
                .filter(source -> !(source instanceof SystemEnvironmentPropertySource))
                .toList());
    }

    private Binder binder(List<PropertySource<?>> sources) {
        return new Binder(
                ConfigurationPropertySources.from(sources), new PropertySourcesPlaceholdersResolver(environment));
    }

    /** By key, what to do about names of models that Spring Boot would drop characters of. */
    Map<String, String> namesWithoutBrackets() {
        Map<String, String> problems = new LinkedHashMap<>();
        for (PropertySource<?> source : all) {
            if (source instanceof EnumerablePropertySource<?> named) {
                for (String key : named.getPropertyNames()) {
                    NAMES_OF_MODELS.forEach((above, pattern) -> {
                        Matcher model = pattern.matcher(key);
                        if (model.matches() && losesCharacters(model.group(1))) {
                            String name = model.group(1);
                            problems.put(
                                    above + '.' + name,
                                    "Spring Boot drops characters of such a name; write [" + name + "], in YAML \"["
                                            + name + "]\"");
                        }
                    });
                }
            }
        }
        return problems;
    }

    /**
     * One line for each variable that may have been meant as a key and is none.
     *
     * @param dimensions of the application's own
     */
    List<String> slips(Collection<String> dimensions) {
        List<String> lines = new ArrayList<>();
        Map<String, String> others = new TreeMap<>();
        for (PropertySource<?> source : all) {
            if (source instanceof SystemEnvironmentPropertySource variables) {
                variables.getSource().forEach((name, value) -> {
                    Matcher below = BELOW_A_NAME.matcher(name);
                    if (below.matches()) {
                        lines.add("environment variable " + name + " is no key and is ignored: did you mean " + PREFIX
                                + below.group(1) + '?');
                    } else if (!isKey(name)) {
                        others.put(name, String.valueOf(value));
                    }
                });
            }
        }
        lines.addAll(MapSettings.slips(others, dimensions));
        return lines;
    }

    /** Of the starter alone, or in the spelling of which it is known what stands at the top. */
    private static boolean isKey(String name) {
        return name.startsWith(PREFIX)
                || OF_THE_STARTER.contains(name)
                || OF_A_ROW.matcher(name).matches();
    }

    private static boolean losesCharacters(String name) {
        return !name.startsWith("[") && !KEPT.matcher(name).matches();
    }
}
