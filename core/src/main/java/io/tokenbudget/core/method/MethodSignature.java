package io.tokenbudget.core.method;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A method as whoever brings its calls here knows it, by reflection or by metadata of its own. Immutable.
 *
 * @param declaring where it is declared
 * @param parameterNames one for each parameter, null where it is not known
 */
public record MethodSignature(
        Class<?> declaring,
        String name,
        List<Class<?>> parameterTypes,
        List<@Nullable String> parameterNames,
        Class<?> returnType,
        boolean isStatic) {

    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if there is not a name, or null, for each type
     */
    public MethodSignature {
        parameterTypes = List.copyOf(parameterTypes);
        parameterNames = Collections.unmodifiableList(new ArrayList<>(parameterNames));
        if (parameterTypes.size() != parameterNames.size()) {
            throw new IllegalArgumentException(
                    parameterTypes.size() + " parameters, but " + parameterNames.size() + " names of them");
        }
    }

    /** What reflection tells; the names of parameters where the class file has them. */
    public static MethodSignature of(Method method) {
        List<@Nullable String> names = new ArrayList<>();
        for (Parameter parameter : method.getParameters()) {
            names.add(parameter.isNamePresent() ? parameter.getName() : null);
        }
        return of(method, names);
    }

    /** What reflection tells, with the names of parameters from elsewhere. */
    public static MethodSignature of(Method method, List<@Nullable String> parameterNames) {
        return new MethodSignature(
                method.getDeclaringClass(),
                method.getName(),
                List.of(method.getParameterTypes()),
                parameterNames,
                method.getReturnType(),
                Modifier.isStatic(method.getModifiers()));
    }

    /** {@code com.acme.Desk.handle(Ticket, int)}. */
    @Override
    public String toString() {
        return declaring.getName() + '.' + name + types(parameterTypes);
    }

    /** {@code static String later(Ticket)}. */
    String inItsClass() {
        return (isStatic ? "static " : "") + returnType.getSimpleName() + ' ' + name + types(parameterTypes);
    }

    static String types(List<Class<?>> types) {
        return types.stream().map(Class::getSimpleName).collect(Collectors.joining(", ", "(", ")"));
    }
}
