package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.ServedRequests;
import io.tokenbudget.reactor.ReactorRequests;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Around where Spring WebFlux hands a request to its handler, behind all filters and so behind what has found out who is logged
 * in: that goes with it too, where the configuration asks for it.
 */
public final class WebFluxLoginAdvice {
    private static final ServedRequests REQUESTS = ServedRequests.of(WebFluxLoginAdvice.class);

    private WebFluxLoginAdvice() {}

    /** Returns the exchange and who is logged in, or null. */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class)
    public static @Nullable Object enter(
            @Advice.Argument(value = 0, typing = Assigner.Typing.DYNAMIC) Object exchange) {
        return REQUESTS.principal(exchange) instanceof Mono<?> principal ? new Object[] {exchange, principal} : null;
    }

    /** Returns the handling that carries it. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    @Advice.AssignReturned.ToReturned(typing = Assigner.Typing.DYNAMIC)
    public static @Nullable Object exit(
            @Advice.Enter @Nullable Object entered, @Advice.Return @Nullable Mono<?> handled) {
        if (handled == null || !(entered instanceof Object[] known)) {
            return handled;
        }
        return ReactorRequests.carrying(
                handled, (Mono<?>) known[1], (principal, around) -> REQUESTS.carried(known[0], principal, around));
    }
}
