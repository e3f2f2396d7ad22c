package io.tokenbudget.agent;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds the models among classes that are loaded already. Loads nothing: super types of a loaded class are loaded. */
final class LoadedModels {
    private LoadedModels() {}

    static List<Class<?>> among(Class<?>[] classes) {
        Set<String> superTypes = new HashSet<>();
        for (Hook hook : Hooks.ALL) {
            superTypes.add(hook.superType());
        }
        List<Class<?>> models = new ArrayList<>();
        for (Class<?> type : classes) {
            ClassLoader loader = type.getClassLoader();
            if (loader != null
                    && !type.isArray()
                    && !Ignored.is(loader, type.getName())
                    && (superTypes.contains(type.getName()) || isSubtype(type, superTypes))) {
                models.add(type);
            }
        }
        return models;
    }

    private static boolean isSubtype(Class<?> type, Set<String> superTypes) {
        Class<?> superClass = type.getSuperclass();
        if (superClass != null && (superTypes.contains(superClass.getName()) || isSubtype(superClass, superTypes))) {
            return true;
        }
        for (Class<?> implemented : type.getInterfaces()) {
            if (superTypes.contains(implemented.getName()) || isSubtype(implemented, superTypes)) {
                return true;
            }
        }
        return false;
    }
}
