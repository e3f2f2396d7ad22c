package io.tokenbudget.spring.boot;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * Where the application's configuration comes from, without the variables that Kubernetes makes for a service whose name is
 * like ours. Immutable.
 */
record KeySources(ConfigurableEnvironment environment, List<PropertySource<?>> all) {
    /** {@code TOKENBUDGET_SERVICE_HOST}, {@code TOKENBUDGET_REDIS_PORT_6379_TCP_ADDR}; no key of ours is spelled so. */
    private static final Pattern OF_A_SERVICE = Pattern.compile(
            "TOKEN_?BUDGET(_.*)?_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)");

    /** Is told from a key by its value alone. */
    private static final Pattern PORT_OF_A_SERVICE = Pattern.compile("TOKEN_?BUDGET(_.*)?_PORT");

    private static final Pattern ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

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

    private static SystemEnvironmentPropertySource ours(SystemEnvironmentPropertySource variables) {
        Map<String, Object> left = new LinkedHashMap<>(variables.getSource());
        boolean isAnyOfAService = left.entrySet()
                .removeIf(variable -> isOfAService(variable.getKey(), String.valueOf(variable.getValue())));
        return isAnyOfAService ? new SystemEnvironmentPropertySource(variables.getName(), left) : variables;
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

    private static boolean losesCharacters(String name) {
        return !name.startsWith("[") && !KEPT.matcher(name).matches();
    }
}
