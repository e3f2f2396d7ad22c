package io.tokenbudget.springai;

import java.lang.reflect.Method;

/** Which default methods of an interface a model has its own way for. */
final class Overrides {
    private Overrides() {}

    /**
     * Whether {@code model} does something else at {@code method} than the framework's interface that it is known by.
     *
     * @param type that interface; {@code method} is one of its own, or of one that it extends
     */
    static boolean has(Object model, Class<?> type, Method method) {
        try {
            Class<?> declaring = model.getClass()
                    .getMethod(method.getName(), method.getParameterTypes())
                    .getDeclaringClass();
            return !declaring.isAssignableFrom(type);
        } catch (NoSuchMethodException | LinkageError unknown) {
            // A class that names a missing one cannot be looked into: then the model is asked itself.
            return true;
        }
    }
}
