package io.tokenbudget.spring.boot;

import io.tokenbudget.TokenBudget;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;
import org.springframework.util.ClassUtils;

/**
 * Which classes have {@code @TokenBudget} anywhere: on a method, on themselves, or above. A look at each class of a bean, once;
 * what the annotation means for a method is {@code core.method}'s to say.
 */
final class BudgetedTypes extends ClassValue<Boolean> {
    static final BudgetedTypes INSTANCE = new BudgetedTypes();

    private BudgetedTypes() {}

    @Override
    protected Boolean computeValue(Class<?> type) {
        try {
            return all(type).stream().anyMatch(BudgetedTypes::says);
        } catch (RuntimeException | LinkageError namesAMissingClass) {
            return false;
        }
    }

    /** {@code type}, what it extends and what it implements, without the JDK's and Spring's own. */
    static Set<Class<?>> all(Class<?> type) {
        Set<Class<?>> all = new LinkedHashSet<>();
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            all.add(each);
        }
        all.addAll(ClassUtils.getAllInterfacesForClassAsSet(type));
        all.removeIf(
                each -> each.getName().startsWith("java.") || each.getName().startsWith("org.springframework."));
        return all;
    }

    private static boolean says(Class<?> type) {
        if (isOn(type)) {
            return true;
        }
        for (Method method : type.getDeclaredMethods()) {
            if (isOn(method)) {
                return true;
            }
        }
        return false;
    }

    static boolean isOn(AnnotatedElement element) {
        for (Annotation annotation : element.getDeclaredAnnotations()) {
            if (annotation.annotationType() == TokenBudget.class) {
                return true;
            }
        }
        return false;
    }
}
