package io.tokenbudget.core.method;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * Where a method's {@link io.tokenbudget.TokenBudget} is found: on itself, on a method that it overrides or implements, on its
 * type, on a type above; the first in this order counts, and says all there is.
 */
public final class Annotations {
    private Annotations() {}

    /**
     * Whether {@code method} has the annotation, of its own or from above.
     *
     * @param method a method that is called
     * @param target the class of the object it is called on; its declaring class for a static one
     */
    public static boolean areOn(Method method, Class<?> target) {
        return find(method, target) != null;
    }

    /** @param ofType whether it stands on a type, for all its methods */
    record Found(AnnotationValues values, boolean ofType) {}

    /**
     * @param method a method that is called
     * @param target the class of the object it is called on; its declaring class for a static one
     * @return null if nothing there has the annotation
     */
    static @Nullable Found find(Method method, Class<?> target) {
        Annotation found = of(method);
        if (found == null && !Modifier.isStatic(method.getModifiers())) {
            found = ofOverridden(method, target);
        }
        return found == null ? onTypes(method, target) : new Found(AnnotationValues.of(found), false);
    }

    private static @Nullable Annotation ofOverridden(Method method, Class<?> target) {
        Annotation found = ofOverridden(method.getName(), method.getParameterTypes(), target);
        for (Method bridge : method.getDeclaringClass().getDeclaredMethods()) {
            // One that hands on to this method has the erased types of what it implements.
            if (found == null
                    && bridge.isBridge()
                    && bridge.getName().equals(method.getName())
                    && bridge.getParameterCount() == method.getParameterCount()) {
                found = ofOverridden(bridge.getName(), bridge.getParameterTypes(), target);
            }
        }
        return found;
    }

    private static @Nullable Annotation ofOverridden(String name, Class<?>[] parameters, Class<?> target) {
        for (Class<?> type : SuperTypes.of(target)) {
            try {
                Annotation found = of(type.getDeclaredMethod(name, parameters));
                if (found != null) {
                    return found;
                }
            } catch (NoSuchMethodException notHere) {
                // perhaps in a type above
            }
        }
        return null;
    }

    private static @Nullable Found onTypes(Method method, Class<?> target) {
        Class<?> declaring = method.getDeclaringClass();
        for (Class<?> type : SuperTypes.of(Modifier.isStatic(method.getModifiers()) ? declaring : target)) {
            Annotation found = of(type);
            // A type above the one that declares the method says nothing of what it does not know.
            if (found != null && (type.isAssignableFrom(declaring) || declaring.isAssignableFrom(type))) {
                return new Found(AnnotationValues.of(found), true);
            }
        }
        return null;
    }

    private static @Nullable Annotation of(AnnotatedElement element) {
        for (Annotation annotation : element.getDeclaredAnnotations()) {
            if (annotation.annotationType().getName().equals(AnnotationValues.ANNOTATION)) {
                return annotation;
            }
        }
        return null;
    }
}
