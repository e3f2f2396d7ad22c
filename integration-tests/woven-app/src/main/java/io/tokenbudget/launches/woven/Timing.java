package io.tokenbudget.launches.woven;

import java.util.concurrent.atomic.AtomicInteger;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.jspecify.annotations.Nullable;

/** What an application weaves for itself: around the methods that have budgets, and around the calls of its models. */
@Aspect
public final class Timing {
    private static final AtomicInteger METHODS = new AtomicInteger();
    private static final AtomicInteger CALLS = new AtomicInteger();

    /** How many of each it was around. */
    static String counts() {
        return METHODS + " methods and " + CALLS + " calls";
    }

    /** @throws Throwable what the method throws */
    @Around("execution(@io.tokenbudget.TokenBudget * *(..))")
    public @Nullable Object aroundMethod(ProceedingJoinPoint method) throws Throwable {
        METHODS.incrementAndGet();
        return method.proceed();
    }

    /** @throws Throwable what the call throws */
    @Around("execution(* dev.langchain4j.model.chat.ChatModel+.doChat(..))"
            + " || execution(* dev.langchain4j.model.chat.StreamingChatModel+.doChat(..))")
    public @Nullable Object aroundCall(ProceedingJoinPoint call) throws Throwable {
        CALLS.incrementAndGet();
        return call.proceed();
    }
}
