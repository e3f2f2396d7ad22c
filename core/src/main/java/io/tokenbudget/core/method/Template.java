package io.tokenbudget.core.method;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A text with references to a method's arguments: {@code team-{order.customer.id}}. Immutable.
 *
 * <p>A reference begins with a parameter's name, or its position from 0 where the class file does not keep names, and goes
 * on with properties: see {@link Property}. Of a {@link java.util.Map} a property is the value under that key.
 */
final class Template {
    private static final Pattern REFERENCE = Pattern.compile("\\{([^{}]*)}");

    private final List<Part> parts;

    private interface Part {
        /** Null if it has no value. */
        @Nullable
        String of(@Nullable Object[] arguments);
    }

    private Template(List<Part> parts) {
        this.parts = parts;
    }

    /**
     * @param attribute the annotation's, for messages
     * @param text not blank
     * @throws InvalidTokenBudgetException if it refers to what the method does not have
     */
    static Template compile(MethodSignature method, String attribute, String text) {
        List<Part> parts = new ArrayList<>();
        Matcher references = REFERENCE.matcher(text);
        int end = 0;
        while (references.find()) {
            addLiteral(method, attribute, text, text.substring(end, references.start()), parts);
            parts.add(reference(method, attribute, text, references.group(1)));
            end = references.end();
        }
        addLiteral(method, attribute, text, text.substring(end), parts);
        return new Template(List.copyOf(parts));
    }

    private static void addLiteral(
            MethodSignature method, String attribute, String text, String literal, List<Part> parts) {
        if (literal.indexOf('{') >= 0 || literal.indexOf('}') >= 0) {
            throw InvalidTokenBudgetException.on(
                    method,
                    found(attribute, text) + ": a brace without its other half; write {param} or {param.property}");
        }
        if (!literal.isEmpty()) {
            parts.add(arguments -> literal);
        }
    }

    private static Part reference(MethodSignature method, String attribute, String text, String reference) {
        List<@Nullable String> parameters = method.parameterNames();
        List<String> names = Arrays.asList(reference.trim().split("\\.", -1));
        String parameter = names.get(0);
        int index = parameters.indexOf(parameter);
        if (index < 0 && parameter.matches("\\d{1,3}") && Integer.parseInt(parameter) < parameters.size()) {
            index = Integer.parseInt(parameter);
        }
        if (index < 0) {
            throw InvalidTokenBudgetException.on(
                    method, found(attribute, text) + ": no parameter " + parameter + "; " + allowed(parameters));
        }
        return path(method, attribute, text, index, names.subList(1, names.size()));
    }

    private static String allowed(List<@Nullable String> parameters) {
        if (parameters.isEmpty()) {
            return "the method has no parameters";
        }
        if (parameters.contains(null)) {
            return "the names of its parameters are not in the class file: compile with javac -parameters, or write its"
                    + " position, {0} for the first";
        }
        return "allowed: " + String.join(", ", parameters);
    }

    private static Part path(MethodSignature method, String attribute, String text, int index, List<String> names) {
        List<Step> steps = new ArrayList<>();
        Class<?> type = method.parameterTypes().get(index);
        for (String name : names) {
            if (name.isBlank()) {
                throw InvalidTokenBudgetException.on(method, found(attribute, text) + ": a property without a name");
            }
            @Nullable Property property = null;
            if (!Property.isFoundAtRunTime(type)) {
                property = Property.find(type, name);
                if (property == null) {
                    throw InvalidTokenBudgetException.on(
                            method, found(attribute, text) + ": " + noProperty(type, name));
                }
            }
            steps.add(new Step(name, property));
            type = property == null ? Object.class : property.type();
        }
        return arguments -> {
            @Nullable Object value = arguments[index];
            for (Step step : steps) {
                if (value == null) {
                    return null;
                }
                value = step.of(value, method, attribute, text);
            }
            String written = value == null ? "" : value.toString();
            return written == null || written.isBlank() ? null : written;
        };
    }

    private static String found(String attribute, String text) {
        return "found " + attribute + " = \"" + text + '"';
    }

    private static String noProperty(Class<?> type, String name) {
        String capital = Character.toUpperCase(name.charAt(0)) + name.substring(1);
        return type.getName() + " has no readable property " + name + "; a property is a public method " + name
                + "(), get" + capital + "() or is" + capital + "(), or a public field";
    }

    /** A property that is known beforehand, or one to find by what the value is. */
    private record Step(String name, @Nullable Property known) {

        @Nullable
        Object of(Object value, MethodSignature method, String attribute, String text) {
            if (known != null) {
                return known.of(value);
            }
            if (value instanceof java.util.Map<?, ?> map) {
                return map.get(name);
            }
            Property found = Property.find(value.getClass(), name);
            if (found == null) {
                throw InvalidTokenBudgetException.on(
                        method, Template.found(attribute, text) + ": " + noProperty(value.getClass(), name));
            }
            return found.of(value);
        }
    }

    /** The text for these arguments; null if something that it refers to has no value. */
    @Nullable
    String of(@Nullable Object[] arguments) {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            String value = part.of(arguments);
            if (value == null) {
                return null;
            }
            text.append(value);
        }
        return text.toString();
    }
}
