package io.tokenbudget.micronaut.processor;

import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.MethodElement;
import java.lang.annotation.Annotation;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes down of several annotations that a method or a type inherits the one that counts, as core finds it by reflection: of the
 * nearest class, then of the nearest interface. Micronaut would mix the members of all of them. Stateless.
 */
final class Nearest {
    private Nearest() {}

    /** On {@code method} of {@code type}, if it only inherits. */
    static void declare(MethodElement method, ClassElement type) {
        if (method.getMethodAnnotationMetadata().hasDeclaredAnnotation(Binding.TOKEN_BUDGET)) {
            return;
        }
        for (ClassElement above : above(type).values()) {
            for (MethodElement candidate : above.getEnclosedElements(
                    ElementQuery.ALL_METHODS.onlyDeclared().onlyInstance().named(method.getName()))) {
                AnnotationValue<Annotation> found = declared(candidate.getMethodAnnotationMetadata());
                if (found != null && method.overrides(candidate)) {
                    method.annotate(found);
                    return;
                }
            }
        }
    }

    /** On {@code type}, if it only inherits. */
    static void declare(ClassElement type) {
        if (type.hasDeclaredAnnotation(Binding.TOKEN_BUDGET)) {
            return;
        }
        for (ClassElement above : above(type).values()) {
            AnnotationValue<Annotation> found = declared(above);
            if (found != null) {
                type.annotate(found);
                return;
            }
        }
    }

    private static @Nullable AnnotationValue<Annotation> declared(AnnotationMetadata metadata) {
        return metadata.getDeclaredAnnotation(Binding.TOKEN_BUDGET);
    }

    /** By name, in the order in which they count. */
    static Map<String, ClassElement> above(ClassElement type) {
        Map<String, ClassElement> above = new LinkedHashMap<>();
        for (ClassElement each = type.getSuperType().orElse(null);
                each != null;
                each = each.getSuperType().orElse(null)) {
            above.put(each.getName(), each);
        }
        for (ClassElement each = type; each != null; each = each.getSuperType().orElse(null)) {
            addInterfaces(each, above);
        }
        return above;
    }

    private static void addInterfaces(ClassElement type, Map<String, ClassElement> into) {
        for (ClassElement each : type.getInterfaces()) {
            into.putIfAbsent(each.getName(), each);
            addInterfaces(each, into);
        }
    }
}
