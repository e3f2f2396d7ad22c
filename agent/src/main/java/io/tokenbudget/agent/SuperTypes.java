package io.tokenbudget.agent;

import java.util.HashSet;
import java.util.Set;
import net.bytebuddy.description.type.TypeDefinition;
import net.bytebuddy.description.type.TypeDescription;
import org.jspecify.annotations.Nullable;

/**
 * The names of all super types of a type, as far as they can be found: a class path without some optional super type is
 * normal, and the rest still counts.
 */
final class SuperTypes {
    private SuperTypes() {}

    static Set<String> of(TypeDescription type) {
        Set<String> names = new HashSet<>();
        collect(type, names);
        return names;
    }

    private static void collect(TypeDescription type, Set<String> names) {
        try {
            add(type.getSuperClass(), names);
        } catch (RuntimeException notFound) {
            names.add("?");
        }
        try {
            for (TypeDescription.Generic implemented : type.getInterfaces()) {
                add(implemented, names);
            }
        } catch (RuntimeException notFound) {
            names.add("?");
        }
    }

    private static void add(@Nullable TypeDefinition superType, Set<String> names) {
        if (superType != null && !superType.getTypeName().equals("java.lang.Object")) {
            TypeDescription erased = superType.asErasure();
            if (names.add(erased.getName())) {
                collect(erased, names);
            }
        }
    }
}
