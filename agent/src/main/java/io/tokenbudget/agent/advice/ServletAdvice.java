package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.ServedRequests;
import io.tokenbudget.core.metering.CallerSource;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;

/** Around what a servlet does for one request: the outermost says who is calling, where the configuration asks requests. */
public final class ServletAdvice {
    private static final ServedRequests REQUESTS = ServedRequests.of(ServletAdvice.class);

    private ServletAdvice() {}

    /** Returns what is open, or null. */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class)
    public static @Nullable Object enter(@Advice.Argument(value = 0, typing = Assigner.Typing.DYNAMIC) Object request) {
        return REQUESTS.open(request);
    }

    /** Closes it. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    public static void exit(@Advice.Enter @Nullable Object entered) {
        if (entered instanceof CallerSource.Scope opened) {
            opened.close();
        }
    }
}
