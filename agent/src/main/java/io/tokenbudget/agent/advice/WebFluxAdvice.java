package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.ServedRequests;
import io.tokenbudget.reactor.ReactorRequests;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Around where Spring WebFlux begins to handle a request: who is calling goes with it, where the configuration asks requests. */
public final class WebFluxAdvice {
    private static final ServedRequests REQUESTS = ServedRequests.of(WebFluxAdvice.class);

    private WebFluxAdvice() {}

    /** Returns what is to be carried, or null. */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class)
    public static @Nullable Object enter(@Advice.Argument(value = 0, typing = Assigner.Typing.DYNAMIC) Object request) {
        return REQUESTS.carried(request);
    }

    /** Returns the handling that carries it. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    @Advice.AssignReturned.ToReturned(typing = Assigner.Typing.DYNAMIC)
    public static @Nullable Object exit(
            @Advice.Enter @Nullable Object entered, @Advice.Return @Nullable Mono<?> handled) {
        return handled == null || entered == null ? handled : ReactorRequests.carrying(handled, entered);
    }
}
