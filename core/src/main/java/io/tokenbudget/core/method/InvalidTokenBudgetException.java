package io.tokenbudget.core.method;

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
    public static InvalidTokenBudgetException on(MethodSignature method, String problem) {
        return new InvalidTokenBudgetException("@TokenBudget on " + method + ": " + problem);
    }
}
