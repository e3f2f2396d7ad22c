package io.tokenbudget.aspectj;

import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.jspecify.annotations.Nullable;

/**
 * Around methods that have a {@code @TokenBudget} themselves, or whose class or a type above it has one. A method that has it
 * only from the method which it overrides or implements is not seen: AspectJ has no pattern for that. Thread-safe.
 */
@Aspect
public final class TokenBudgetAspect {
    private static final TokenBudgetAspect INSTANCE = new TokenBudgetAspect();

    /** The one aspect. Written here, so that this class need not be woven itself to be one. */
    public static TokenBudgetAspect aspectOf() {
        return INSTANCE;
    }

    /** @throws Throwable what the method throws, or its fallback */
    @Around("execution(@io.tokenbudget.TokenBudget * *(..)) || execution(* (@io.tokenbudget.TokenBudget *..*)+.*(..))")
    public @Nullable Object run(ProceedingJoinPoint method) throws Throwable {
        return AspectRuns.call(method);
    }
}
