package io.tokenbudget.core.method;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The methods that were called so far, each looked for once for each class that it is called on: what it inherits its
 * annotation from depends on that class. Thread-safe: one concurrent map for each class, which goes when the class does.
 */
final class MethodTable {
    private static final Object NONE = new Object();

    private final ClassValue<Map<Object, Object>> known = new ClassValue<>() {
        @Override
        protected Map<Object, Object> computeValue(Class<?> target) {
            return new ConcurrentHashMap<>();
        }
    };

    /** Looks for a method that was not called before. */
    @FunctionalInterface
    interface Search {
        /**
         * @return null if it has no annotation
         * @throws InvalidTokenBudgetException if it has one that cannot mean what is written
         */
        @Nullable
        BudgetedMethod find();
    }

    /**
     * @param method whatever names it: a {@link Method}, or a text
     * @param target what it is called on
     * @return null if it has no annotation
     * @throws InvalidTokenBudgetException at each call of a method whose annotation cannot mean what is written
     */
    @Nullable
    BudgetedMethod get(Object method, Class<?> target, Search search) {
        Map<Object, Object> ofTarget = known.get(target);
        Object found = ofTarget.get(method);
        if (found == null) {
            found = find(search);
            ofTarget.put(method, found);
        }
        if (found instanceof InvalidTokenBudgetException wrongUse) {
            throw wrongUse;
        }
        return found == NONE ? null : (BudgetedMethod) found;
    }

    private static Object find(Search search) {
        try {
            BudgetedMethod found = search.find();
            return found == null ? NONE : found;
        } catch (InvalidTokenBudgetException wrongUse) {
            return wrongUse;
        }
    }
}
