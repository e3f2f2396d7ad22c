package io.tokenbudget.agent;

import io.tokenbudget.core.method.AnnotationValues;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.description.annotation.AnnotationSource;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDefinition;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.jspecify.annotations.Nullable;

/**
 * Which methods of a type have a {@code @TokenBudget}: of their own, of their type, or of a method or type above that they
 * override, implement or extend.
 */
final class BudgetedTypes {
    private BudgetedTypes() {}

    /** The methods with bodies to weave; null if there are none. */
    static @Nullable ElementMatcher<MethodDescription> methodsOf(TypeDescription type) {
        if (type.isAnnotation()) {
            return null;
        }
        Set<String> signatures = new HashSet<>();
        boolean whole = false;
        for (TypeDescription each : withSuperTypes(type)) {
            whole |= isAnnotated(each);
            for (MethodDescription method : each.getDeclaredMethods()) {
                if (isAnnotated(method)) {
                    signatures.add(signature(method));
                }
            }
        }
        if (!whole && signatures.isEmpty()) {
            return null;
        }
        for (MethodDescription method : type.getDeclaredMethods()) {
            if (method.isBridge() && signatures.contains(signature(method))) {
                bridgedFrom(method, type).forEach(bridged -> signatures.add(signature(bridged)));
            }
        }
        boolean all = whole;
        ElementMatcher<MethodDescription> budgeted = method ->
                hasBody(method) && ((all && isCalledByOthers(method)) || signatures.contains(signature(method)));
        for (MethodDescription method : type.getDeclaredMethods()) {
            if (budgeted.matches(method)) {
                return budgeted;
            }
        }
        return null;
    }

    private static Set<TypeDescription> withSuperTypes(TypeDescription type) {
        Set<TypeDescription> all = new LinkedHashSet<>();
        add(type, all);
        return all;
    }

    private static void add(@Nullable TypeDefinition type, Set<TypeDescription> all) {
        if (type == null || type.getTypeName().equals("java.lang.Object") || !all.add(type.asErasure())) {
            return;
        }
        TypeDescription erased = type.asErasure();
        addAll(() -> Collections.singleton(erased.getSuperClass()), all);
        addAll(erased::getInterfaces, all);
    }

    private static void addAll(
            Supplier<Collection<? extends @Nullable TypeDefinition>> types, Set<TypeDescription> all) {
        try {
            types.get().forEach(type -> add(type, all));
        } catch (RuntimeException notFound) {
            // a class path without some optional super type is normal: it says nothing
        }
    }

    private static boolean isAnnotated(AnnotationSource source) {
        for (AnnotationDescription annotation : source.getDeclaredAnnotations()) {
            if (annotation.getAnnotationType().getName().equals(AnnotationValues.ANNOTATION)) {
                return true;
            }
        }
        return false;
    }

    /** The methods that {@code bridge} may hand its calls on to, with types in place of type variables. */
    private static List<MethodDescription> bridgedFrom(MethodDescription bridge, TypeDescription type) {
        List<MethodDescription> bridged = new ArrayList<>();
        for (MethodDescription method : type.getDeclaredMethods()) {
            if (!method.isBridge()
                    && method.getName().equals(bridge.getName())
                    && method.getParameters().size() == bridge.getParameters().size()) {
                bridged.add(method);
            }
        }
        return bridged;
    }

    private static String signature(MethodDescription method) {
        String descriptor = method.getDescriptor();
        return method.getInternalName() + descriptor.substring(0, descriptor.indexOf(')') + 1);
    }

    private static boolean hasBody(MethodDescription method) {
        return method.isMethod()
                && !method.isAbstract()
                && !method.isNative()
                && !method.isBridge()
                && !method.isSynthetic();
    }

    /** An annotation of a type is about what it offers, not about what it does by itself or as every object. */
    private static boolean isCalledByOthers(MethodDescription method) {
        return !method.isPrivate()
                && !method.isStatic()
                && !(method.getParameters().isEmpty()
                        && (method.getName().equals("hashCode")
                                || method.getName().equals("toString")))
                && !signature(method).equals("equals(Ljava/lang/Object;)");
    }
}
