package io.tokenbudget.langchain4j;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
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
     * What the application's handler threw, where {@code error} is that: a proxy wraps checked exceptions that its interface
     * does not declare, which Kotlin and Lombok throw all the same.
     *
     * @param thrown what the handler last threw, or null
     */
    static Throwable itself(Throwable error, @Nullable Throwable thrown) {
        return thrown != null
                        && error instanceof UndeclaredThrowableException wrapped
                        && wrapped.getUndeclaredThrowable() == thrown
                ? thrown
                : error;
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
