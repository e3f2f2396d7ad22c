package io.tokenbudget.reactor;

import io.tokenbudget.BudgetContext;
import reactor.core.publisher.Mono;

/** Requests that are handled in Reactor. Stateless. */
public final class ReactorRequests {
    private ReactorRequests() {}

    /**
     * {@code handled} with the context of its request, for all that is asked of models inside.
     *
     * @param context a {@link BudgetContext}, of whichever loader
     */
    public static <T> Mono<T> carrying(Mono<T> handled, Object context) {
        return handled.contextWrite(outer -> outer.put(BudgetContext.KEY, context));
    }
}
