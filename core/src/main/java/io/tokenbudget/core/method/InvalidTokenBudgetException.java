package io.tokenbudget.core.method;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A {@link io.tokenbudget.TokenBudget} that cannot mean what is written. The message names the method, what was found and
 * what to write instead.
 */
public final class InvalidTokenBudgetException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private InvalidTokenBudgetException(String message) {
        super(message);
    }

    /**
     * @param method where the annotation stands or is inherited
     * @param problem what was found and what is allowed
     */
    public static InvalidTokenBudgetException on(Method method, String problem) {
        return new InvalidTokenBudgetException("@TokenBudget on " + written(method) + ": " + problem);
    }

    private static String written(Method method) {
        return method.getDeclaringClass().getName()
                + '.'
                + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }
}
