package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.BudgetedMethods;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;

/** Around methods that have a {@code @TokenBudget}, by themselves or from above. */
public final class TokenBudgetAdvice {
    private static final BudgetedMethods METHODS = BudgetedMethods.of(TokenBudgetAdvice.class);

    private TokenBudgetAdvice() {}

    /** Returns the call, or what to throw instead of it. */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class, skipOn = Throwable.class)
    public static @Nullable Object enter(
            @Advice.Origin("#t|#m|#d") String origin,
            @Advice.This(optional = true) @Nullable Object target,
            @Advice.AllArguments @Nullable Object[] arguments) {
        return METHODS.enter(origin, target, arguments);
    }

    /** Returns what the method returns and throws instead of what it did, or null to leave the outcome as it is. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    @Advice.AssignReturned.ToReturned(index = 0, typing = Assigner.Typing.DYNAMIC)
    @Advice.AssignReturned.ToThrown(index = 1, typing = Assigner.Typing.DYNAMIC)
    public static @Nullable Object @Nullable [] exit(
            @Advice.Enter @Nullable Object entered,
            @Advice.Return(typing = Assigner.Typing.DYNAMIC) @Nullable Object returned,
            @Advice.Thrown @Nullable Throwable thrown) {
        return METHODS.exit(entered, returned, thrown);
    }
}
