package io.tokenbudget.springai;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a property by the name of its getter from whatever class has it: what only some providers or some versions of
 * Spring AI have is reached without linking to it.
 *
 * <p>Thread-safe. The handle is looked up once for each class and kept with that class.
 */
final class Getter {
    private static final MethodType OBJECT_TO_OBJECT = MethodType.methodType(Object.class, Object.class);

    private final List<String> names;
    private final boolean hidden;

    // Values are JDK types: one of ours would tie the application's class to our loader.
    private final ClassValue<Optional<MethodHandle>> handles = new ClassValue<>() {
        @Override
        protected Optional<MethodHandle> computeValue(Class<?> type) {
            return Optional.ofNullable(find(type));
        }
    };

    /** @param names of which a class has one: not all generations name alike */
    Getter(String... names) {
        this(false, names);
    }

    private Getter(boolean hidden, String... names) {
        this.hidden = hidden;
        this.names = List.of(names);
    }

    /** One that also sees getters which only their own package may call. */
    static Getter alsoHidden(String... names) {
        return new Getter(true, names);
    }

    boolean existsIn(Class<?> type) {
        return handles.get(type).isPresent();
    }

    /**
     * The property of {@code target}, an {@link Optional} unwrapped; null if {@code target} is null, has no such getter or
     * the getter throws, as those of provider SDKs do for a field that the answer left out.
     */
    @Nullable
    Object get(@Nullable Object target) {
        if (target == null) {
            return null;
        }
        MethodHandle handle = handles.get(target.getClass()).orElse(null);
        if (handle == null) {
            return null;
        }
        Object value;
        try {
            value = handle.invokeExact(target);
        } catch (Error fault) {
            throw fault;
        } catch (Throwable unreadable) {
            return null;
        }
        return value instanceof Optional<?> optional ? optional.orElse(null) : value;
    }

    /** The property as a number, or null. */
    @Nullable
    Long number(@Nullable Object target) {
        return get(target) instanceof Number number ? Long.valueOf(number.longValue()) : null;
    }

    private @Nullable MethodHandle find(Class<?> type) {
        return names.stream()
                .map(name -> find(type, name))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** A class that is not public may implement a public type that declares the getter. */
    private @Nullable MethodHandle find(Class<?> type, String name) {
        Deque<Class<?>> types = new ArrayDeque<>();
        types.add(type);
        while (!types.isEmpty()) {
            Class<?> candidate = types.remove();
            if (Modifier.isPublic(candidate.getModifiers())) {
                try {
                    return MethodHandles.publicLookup()
                            .unreflect(candidate.getMethod(name))
                            .asType(OBJECT_TO_OBJECT);
                } catch (NoSuchMethodException | IllegalAccessException notHere) {
                    // Its supertypes may have it.
                }
            }
            if (candidate.getSuperclass() != null) {
                types.add(candidate.getSuperclass());
            }
            types.addAll(List.of(candidate.getInterfaces()));
        }
        return hidden ? findHidden(type, name) : null;
    }

    private static @Nullable MethodHandle findHidden(Class<?> type, String name) {
        try {
            Method method = type.getDeclaredMethod(name);
            return method.trySetAccessible()
                    ? MethodHandles.lookup().unreflect(method).asType(OBJECT_TO_OBJECT)
                    : null;
        } catch (NoSuchMethodException | IllegalAccessException none) {
            return null;
        }
    }
}
