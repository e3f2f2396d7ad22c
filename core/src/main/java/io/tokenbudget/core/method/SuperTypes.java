package io.tokenbudget.core.method;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A type and everything it extends or implements. */
final class SuperTypes {
    private SuperTypes() {}

    /** The classes first, nearest first, then the interfaces in the order in which they are reached. */
    static Set<Class<?>> of(Class<?> type) {
        Set<Class<?>> all = new LinkedHashSet<>();
        for (@Nullable Class<?> each = type; each != null; each = each.getSuperclass()) {
            all.add(each);
        }
        for (@Nullable Class<?> each = type; each != null; each = each.getSuperclass()) {
            addInterfaces(each, all);
        }
        return all;
    }

    private static void addInterfaces(Class<?> type, Set<Class<?>> into) {
        for (Class<?> each : type.getInterfaces()) {
            into.add(each);
            addInterfaces(each, into);
        }
    }
}
