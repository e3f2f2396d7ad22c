package io.tokenbudget.core.method;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One property of a type: {@code name()}, {@code getName()}, {@code isName()}, or a public field. Immutable.
 */
final class Property {
    private final Member member;

    private Property(Member member) {
        this.member = member;
    }

    /** Whether only its values tell which properties it has. */
    static boolean isFoundAtRunTime(Class<?> type) {
        return type == Object.class || Map.class.isAssignableFrom(type);
    }

    /** The property of {@code type}, or null if it has none of that name that can be read from here. */
    static @Nullable Property find(Class<?> type, String name) {
        String capital = Character.toUpperCase(name.charAt(0)) + name.substring(1);
        for (String getter : new String[] {name, "get" + capital, "is" + capital}) {
            Method found = getter(type, getter);
            if (found != null) {
                return new Property(found);
            }
        }
        try {
            Field field = type.getField(name);
            return isReadable(field) ? new Property(field) : null;
        } catch (NoSuchFieldException none) {
            return null;
        }
    }

    private static @Nullable Method getter(Class<?> type, String name) {
        for (Class<?> declaring : SuperTypes.of(type)) {
            try {
                Method method = declaring.getMethod(name);
                boolean reads = method.getReturnType() != void.class && !Modifier.isStatic(method.getModifiers());
                if (reads && isReadable(method)) {
                    return method;
                }
            } catch (NoSuchMethodException notHere) {
                // perhaps in a type above, which may be public where this one is not
            }
        }
        return null;
    }

    private static <M extends AccessibleObject & Member> boolean isReadable(M member) {
        if (Modifier.isPublic(member.getDeclaringClass().getModifiers())
                && member.getDeclaringClass()
                        .getModule()
                        .isExported(member.getDeclaringClass().getPackageName())) {
            return true;
        }
        try {
            member.setAccessible(true);
            return true;
        } catch (InaccessibleObjectException ofAClosedModule) {
            return false;
        }
    }

    Class<?> type() {
        return member instanceof Method method ? method.getReturnType() : ((Field) member).getType();
    }

    /** @throws IllegalStateException if the getter throws; its exception is the cause */
    @Nullable
    Object of(Object owner) {
        try {
            return member instanceof Method method ? method.invoke(owner) : ((Field) member).get(owner);
        } catch (InvocationTargetException thrown) {
            throw new IllegalStateException(member.getName() + " threw " + thrown.getCause(), thrown.getCause());
        } catch (IllegalAccessException closed) {
            throw new IllegalStateException(member + " cannot be read", closed);
        }
    }
}
