package io.tokenbudget.langchain4j;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** What all proxies here have in common. */
final class Proxies {
    private Proxies() {}

    /** Whether {@code method} is one that proxies get of {@link Object}. */
    static boolean isOfObject(Method method) {
        return method.getDeclaringClass() == Object.class;
    }

    /** Its answer: a proxy is equal to itself only, and says what it stands for. */
    static Object ofObject(
            Object proxy, Method method, @Nullable Object @Nullable [] arguments, String what, Object behind) {
        return switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> what + "[" + behind + "]";
        };
    }

    /** What {@code target} answers or throws itself. */
    static @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }

    /**
     * Whether {@code model} has a body of its own for a method of an interface. Also if its class cannot be looked into,
     * because it names one that is missing: then it is asked itself.
     */
    static boolean isOverridden(Method method, Object model) {
        try {
            return model.getClass()
                            .getMethod(method.getName(), method.getParameterTypes())
                            .getDeclaringClass()
                    != method.getDeclaringClass();
        } catch (NoSuchMethodException | LinkageError unknown) {
            return true;
        }
    }
}
