package io.tokenbudget.core.method;

import io.tokenbudget.Usage;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** {@link Usage} that a method returns, which may be an application's own class of that name. */
final class ReturnedUsage {
    private ReturnedUsage() {}

    /** Whether a method that returns this returns usage. */
    static boolean is(Class<?> returnType) {
        return returnType.getName().equals(Usage.class.getName());
    }

    /**
     * @return null if nothing was returned
     * @throws ReflectiveOperationException if it is a class of that name which says something else
     */
    static @Nullable Usage of(@Nullable Object returned) throws ReflectiveOperationException {
        if (returned == null || returned instanceof Usage) {
            return (Usage) returned;
        }
        return new Usage(
                count(returned, "inputTokens"),
                count(returned, "cachedInputTokens"),
                count(returned, "cacheWriteTokens"),
                count(returned, "outputTokens"),
                count(returned, "reasoningTokens"));
    }

    private static long count(Object usage, String name) throws ReflectiveOperationException {
        Method count = usage.getClass().getMethod(name);
        return ((Number) count.invoke(usage)).longValue();
    }
}
