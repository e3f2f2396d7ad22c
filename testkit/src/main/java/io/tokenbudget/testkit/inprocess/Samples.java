package io.tokenbudget.testkit.inprocess;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes a value of whatever type, for tests that walk the methods of an interface which grows from version to version: texts,
 * numbers, lists of one, and what public constructors make of these. Interfaces are proxies that answer with samples.
 *
 * <p>Not thread-safe.
 */
public final class Samples {
    private static final int DEEPEST = 6;

    private final Map<Class<?>, Object> known = new HashMap<>();

    /** With what most types are made of. */
    public Samples() {
        with(String.class, "text").with(Integer.class, 1).with(int.class, 1).with(Long.class, 1L);
        with(long.class, 1L)
                .with(Boolean.class, false)
                .with(boolean.class, false)
                .with(Double.class, 1.0);
        with(double.class, 1.0).with(Float.class, 1f).with(float.class, 1f).with(Object.class, "text");
        with(byte.class, (byte) 1).with(Byte.class, (byte) 1);
    }

    /** Where a {@code type} is asked for from now on, {@code value} is the sample. */
    public Samples with(Class<?> type, Object value) {
        known.put(type, value);
        return this;
    }

    /**
     * A value for each parameter of {@code method}.
     *
     * @throws IllegalStateException if there is one that none can be made for
     */
    public @Nullable Object[] arguments(Method method) {
        return Arrays.stream(method.getGenericParameterTypes()).map(this::of).toArray();
    }

    /**
     * A value of that type.
     *
     * @throws IllegalStateException if none can be made
     */
    public Object of(Type type) {
        Object sample = make(type, 0);
        if (sample == null) {
            throw new IllegalStateException("no sample of " + type + " can be made, give the samples one");
        }
        return sample;
    }

    private @Nullable Object make(Type type, int depth) {
        Class<?> raw = raw(type);
        if (known.containsKey(raw)) {
            return known.get(raw);
        }
        if (depth > DEEPEST) {
            return null;
        }
        if (raw.isArray()) {
            Object array = Array.newInstance(raw.getComponentType(), 1);
            Array.set(array, 0, make(raw.getComponentType(), depth + 1));
            return array;
        }
        if (Collection.class.isAssignableFrom(raw) || raw == Iterable.class) {
            Object element = make(argument(type), depth + 1);
            return element == null ? null : raw == Set.class ? Set.of(element) : List.of(element);
        }
        if (Map.class.isAssignableFrom(raw)) {
            return Map.of();
        }
        if (raw.isEnum()) {
            return raw.getEnumConstants()[0];
        }
        return raw.isInterface() ? proxy(raw, depth) : constructed(raw, depth);
    }

    private static Class<?> raw(Type type) {
        if (type instanceof ParameterizedType parameterized) {
            return (Class<?>) parameterized.getRawType();
        }
        return type instanceof Class<?> known ? known : Object.class;
    }

    private static Type argument(Type type) {
        return type instanceof ParameterizedType parameterized
                ? parameterized.getActualTypeArguments()[0]
                : Object.class;
    }

    private Object proxy(Class<?> type, int depth) {
        InvocationHandler answering = (proxy, method, arguments) -> switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            case "toString" -> "sample of " + type.getSimpleName();
            default -> method.getReturnType() == void.class ? null : make(method.getGenericReturnType(), depth + 1);
        };
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, answering);
    }

    /** By the constructor with the fewest parameters that takes some and accepts samples. */
    private @Nullable Object constructed(Class<?> type, int depth) {
        Constructor<?>[] constructors = type.getConstructors();
        Arrays.sort(constructors, Comparator.comparingInt(Samples::order));
        for (Constructor<?> constructor : constructors) {
            Object made = constructed(constructor, depth);
            if (made != null) {
                return made;
            }
        }
        return null;
    }

    private @Nullable Object constructed(Constructor<?> constructor, int depth) {
        Object[] arguments = Arrays.stream(constructor.getGenericParameterTypes())
                .map(parameter -> make(parameter, depth + 1))
                .toArray();
        try {
            return constructor.newInstance(arguments);
        } catch (ReflectiveOperationException doesNotAccept) {
            return null;
        }
    }

    private static int order(Constructor<?> constructor) {
        int parameters = constructor.getParameterCount();
        return parameters == 0 ? Integer.MAX_VALUE : parameters;
    }
}
