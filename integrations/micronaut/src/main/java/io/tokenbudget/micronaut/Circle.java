package io.tokenbudget.micronaut;

import io.micronaut.context.env.Environment;
import io.micronaut.context.env.PropertySource;
import io.micronaut.context.env.PropertySource.PropertyConvention;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds in which circle a value refers to itself, which Micronaut follows until the thread's stack is full. Not thread-safe. */
final class Circle {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^:}]+)");

    private final Environment environment;
    private final Set<String> path = new LinkedHashSet<>();
    private final Set<String> harmless = new LinkedHashSet<>();

    private Circle(Environment environment) {
        this.environment = environment;
    }

    /** {@code ${a} -> ${b} -> ${a}}; null if none is found from {@code text} on. */
    static @Nullable String in(String text, Environment environment) {
        return new Circle(environment).from(text);
    }

    private @Nullable String from(String text) {
        Matcher reference = REFERENCE.matcher(text);
        while (reference.find()) {
            String circle = through(reference.group(1).strip());
            if (circle != null) {
                return circle;
            }
        }
        return null;
    }

    private @Nullable String through(String name) {
        if (!path.add(name)) {
            List<String> steps = new ArrayList<>(path);
            return "${" + String.join("} -> ${", steps.subList(steps.indexOf(name), steps.size())) + "} -> ${" + name
                    + '}';
        }
        if (!harmless.contains(name)) {
            for (PropertySource source : environment.getPropertySources()) {
                String circle =
                        source.get(nameIn(source, name)) instanceof CharSequence text ? from(text.toString()) : null;
                if (circle != null) {
                    return circle;
                }
            }
            harmless.add(name);
        }
        path.remove(name);
        return null;
    }

    private static String nameIn(PropertySource source, String name) {
        return source.getConvention() == PropertyConvention.ENVIRONMENT_VARIABLE
                ? name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_')
                : name;
    }
}
