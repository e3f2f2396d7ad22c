package io.tokenbudget.langchain4j;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One method without parameters, or one field, that some versions or providers of LangChain4j have and others do not.
 *
 * <p>Thread-safe. What was found is kept with the class it was found on ({@link ClassValue}) and consists of JDK types
 * only, so that nothing here keeps a class loader alive.
 */
final class Reflected {
    private final String name;
    private final ClassValue<Optional<AccessibleObject>> members;

    private Reflected(String name, BiFunction<Class<?>, String, @Nullable AccessibleObject> finder) {
        this.name = name;
        this.members = new ClassValue<>() {
            @Override
            protected Optional<AccessibleObject> computeValue(Class<?> type) {
                AccessibleObject found = find(finder, type);
                // A public method of a public class is readable anyway; where the rest is closed to us, it is not
                // there.
                return Optional.ofNullable(found).filter(member -> member.trySetAccessible());
            }
        };
    }

    /** A class that names another one which is not there cannot be looked into: then it has no such member. */
    private @Nullable AccessibleObject find(
            BiFunction<Class<?>, String, @Nullable AccessibleObject> finder, Class<?> type) {
        try {
            return finder.apply(type, name);
        } catch (LinkageError namesAMissingClass) {
            return null;
        }
    }

    /** A public method. */
    static Reflected method(String name) {
        return new Reflected(name, Reflected::method);
    }

    /** A method of any visibility, of the class itself or a superclass. */
    static Reflected hiddenMethod(String name) {
        return new Reflected(name, Reflected::hiddenMethod);
    }

    /** A field of any visibility, of the class itself or a superclass. */
    static Reflected field(String name) {
        return new Reflected(name, Reflected::field);
    }

    /** Whether {@code target} has it, whatever it holds. */
    boolean isOn(Object target) {
        return isOnClass(target.getClass());
    }

    /** Whether objects of {@code type} have it. */
    boolean isOnClass(Class<?> type) {
        return members.get(type).isPresent();
    }

    /** What it holds on {@code target}; null if that is null, or if {@code target} is null or has no such member. */
    @Nullable
    Object get(@Nullable Object target) {
        if (target == null) {
            return null;
        }
        AccessibleObject member = members.get(target.getClass()).orElse(null);
        if (member == null) {
            return null;
        }
        try {
            return member instanceof Method method ? method.invoke(target) : ((Field) member).get(target);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("cannot read " + name + " of " + target.getClass(), e);
        }
    }

    /** What it holds on {@code target} if that is a whole number, else null. */
    @Nullable
    Long number(@Nullable Object target) {
        return get(target) instanceof Number number ? (Long) number.longValue() : null;
    }

    private static @Nullable Method method(Class<?> type, String name) {
        for (Method method : type.getMethods()) {
            if (method.getName().equals(name) && method.getParameterCount() == 0) {
                return method;
            }
        }
        return null;
    }

    private static @Nullable Method hiddenMethod(Class<?> type, String name) {
        for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
            for (Method method : declaring.getDeclaredMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == 0) {
                    return method;
                }
            }
        }
        return null;
    }

    private static @Nullable Field field(Class<?> type, String name) {
        for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
            for (Field field : declaring.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    return field;
                }
            }
        }
        return null;
    }
}
