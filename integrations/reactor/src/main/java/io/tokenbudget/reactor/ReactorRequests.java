package io.tokenbudget.reactor;

import io.tokenbudget.BudgetContext;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
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

    /**
     * The same with a context that is made once it is known who is logged in.
     *
     * @param principal empty if nobody is; one that fails counts as empty, and fails again where the application asks it
     * @param context makes it of who is logged in and of what is carried along already, either null if there is none; null to
     *     leave that as it is
     */
    public static <T> Mono<T> carrying(
            Mono<T> handled,
            Mono<?> principal,
            BiFunction<@Nullable Object, @Nullable Object, @Nullable Object> context) {
        return Mono.deferContextual(outer -> principal
                .map(Optional::<Object>of)
                .onErrorReturn(Optional.empty())
                .defaultIfEmpty(Optional.empty())
                .flatMap(found -> {
                    Object known = outer.getOrDefault(BudgetContext.KEY, null);
                    Object made = context.apply(found.orElse(null), known);
                    return made == null ? handled : carrying(handled, made);
                }));
    }
}
