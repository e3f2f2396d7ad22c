package io.tokenbudget.testkit.matrix;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * A builder of a library whose versions agree on the names of its methods and not on their types, or that not every line
 * has.
 */
public final class BuilderByName {
    private final Object builder;

    private BuilderByName(Object builder) {
        this.builder = builder;
    }

    /** What the static method {@code builder} of a class gives. */
    public static BuilderByName of(String type) {
        try {
            return new BuilderByName(call(Class.forName(type).getMethod("builder"), null));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether the class path has a class. */
    public static boolean exists(String type) {
        try {
            Class.forName(type);
            return true;
        } catch (ClassNotFoundException other) {
            return false;
        }
    }

    /** Sets a property, unless {@code value} is null. */
    public BuilderByName with(String property, @Nullable Object value) {
        if (value == null) {
            return this;
        }
        for (Method method : builder.getClass().getMethods()) {
            if (method.getName().equals(property)
                    && method.getParameterCount() == 1
                    && method.getParameterTypes()[0].isInstance(value)) {
                call(method, builder, value);
                return this;
            }
        }
        throw new IllegalStateException(builder + " takes no " + property + " like " + value);
    }

    /** Builds what is an {@code M}. */
    public <M> M build(Class<M> type) {
        try {
            return type.cast(call(builder.getClass().getMethod("build"), builder));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of classes that are not public, too. */
    private static Object call(Method method, @Nullable Object target, Object... arguments) {
        try {
            method.setAccessible(true);
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getTargetException());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
