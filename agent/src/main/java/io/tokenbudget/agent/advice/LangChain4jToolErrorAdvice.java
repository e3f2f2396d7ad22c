package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.langchain4j.ToolErrors;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;

/** Around the method that is given what says what a model is told of a tool's failure. */
public final class LangChain4jToolErrorAdvice {
    private static final ToolErrors ERRORS = new ToolErrors(BridgeLoader.meterFor(LangChain4jToolErrorAdvice.class));

    private LangChain4jToolErrorAdvice() {}

    /** Returns the handler that is given instead. */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class)
    @Advice.AssignReturned.ToArguments(
            @Advice.AssignReturned.ToArguments.ToArgument(value = 0, typing = Assigner.Typing.DYNAMIC))
    public static @Nullable Object enter(@Advice.Argument(0) @Nullable Object handler) {
        return handler == null ? null : ERRORS.telling(handler);
    }

    /** Nothing to do after. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    public static void exit(@Advice.Enter @Nullable Object entered) {}
}
