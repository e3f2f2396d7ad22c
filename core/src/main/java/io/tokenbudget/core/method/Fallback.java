package io.tokenbudget.core.method;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The method that is called instead when a limit refuses: the same parameters, or the refusal after them. Immutable.
 */
final class Fallback {
    private static final String REFUSAL = "io.tokenbudget.LimitExceededException";

    private final Method method;
    private final boolean takesRefusal;

    private Fallback(Method method, boolean takesRefusal) {
        this.method = method;
        this.takesRefusal = takesRefusal;
    }

    /**
     * @param target the class of the object that {@code annotated} is called on
     * @throws InvalidTokenBudgetException if there is none of that name, or none that fits
     */
    static Fallback find(Method annotated, Class<?> target, String name) {
        List<Method> sameName = new ArrayList<>();
        for (Class<?> type : SuperTypes.of(target)) {
            for (Method candidate : type.getDeclaredMethods()) {
                if (candidate.getName().equals(name) && !candidate.isBridge() && !candidate.equals(annotated)) {
                    sameName.add(candidate);
                }
            }
        }
        for (Method candidate : sameName) {
            @Nullable Fallback fitting = fitting(annotated, candidate);
            if (fitting != null) {
                return fitting;
            }
        }
        throw InvalidTokenBudgetException.on(annotated, problem(annotated, target, name, sameName));
    }

    private static @Nullable Fallback fitting(Method annotated, Method candidate) {
        Class<?>[] given = annotated.getParameterTypes();
        Class<?>[] taken = candidate.getParameterTypes();
        boolean more = taken.length == given.length + 1 && isRefusal(taken[given.length]);
        if (!more && taken.length != given.length) {
            return null;
        }
        for (int i = 0; i < given.length; i++) {
            if (taken[i] != given[i] && (taken[i].isPrimitive() || !taken[i].isAssignableFrom(given[i]))) {
                return null;
            }
        }
        if (!annotated.getReturnType().isAssignableFrom(candidate.getReturnType())) {
            return null;
        }
        if (Modifier.isStatic(annotated.getModifiers()) && !Modifier.isStatic(candidate.getModifiers())) {
            return null;
        }
        candidate.setAccessible(true);
        return new Fallback(candidate, more);
    }

    private static boolean isRefusal(Class<?> type) {
        return type.getName().equals(REFUSAL)
                || (type != Object.class && type.isAssignableFrom(RuntimeException.class));
    }

    private static String problem(Method annotated, Class<?> target, String name, List<Method> sameName) {
        String wanted = Arrays.stream(annotated.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", name + "(", ")"));
        String found = sameName.isEmpty()
                ? "none of that name"
                : sameName.stream().map(Fallback::written).sorted().collect(Collectors.joining("; "));
        return "found fallback = \"" + name + "\", but " + target.getName() + " has " + found + "; allowed: "
                + (Modifier.isStatic(annotated.getModifiers()) ? "static " : "")
                + annotated.getReturnType().getSimpleName() + " " + wanted
                + ", or the same with a LimitExceededException as the last parameter";
    }

    private static String written(Method method) {
        return (Modifier.isStatic(method.getModifiers()) ? "static " : "")
                + method.getReturnType().getSimpleName() + " " + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    /**
     * @param target null for a static method
     * @throws Throwable what the method throws
     */
    @Nullable
    Object call(@Nullable Object target, @Nullable Object[] arguments, RuntimeException refusal) throws Throwable {
        @Nullable Object[] all = arguments;
        if (takesRefusal) {
            all = Arrays.copyOf(arguments, arguments.length + 1);
            all[arguments.length] = refusal;
        }
        try {
            return method.invoke(Modifier.isStatic(method.getModifiers()) ? null : target, all);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause() == null ? thrown : thrown.getCause();
        }
    }
}
