package io.tokenbudget.reactor;

import io.tokenbudget.core.method.LaterResult;
import io.tokenbudget.core.method.MethodCall;
import java.util.concurrent.atomic.AtomicBoolean;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * {@code Mono}, {@code Flux}, and whatever a method returns as a {@code Publisher}: each subscription works for the run of the
 * call that returned it, on the thread that subscribes, and wherever the Reactor context goes. Thread-safe: it keeps nothing.
 */
public final class ReactorResults implements LaterResult {

    @Override
    public boolean isOf(Object returned) {
        return returned instanceof Publisher<?>;
    }

    @Override
    public boolean beginsLater(Class<?> returnType) {
        return Publisher.class.isAssignableFrom(returnType)
                && (returnType.isAssignableFrom(Mono.class) || returnType.isAssignableFrom(Flux.class));
    }

    @Override
    public Object goesOn(Object returned, MethodCall call) {
        call.upFront().end();
        if (returned instanceof Mono<?> mono) {
            return call.mayReturn(Mono.class) ? one(mono, call) : returned;
        }
        return call.mayReturn(Flux.class) ? many(Flux.from((Publisher<?>) returned), call) : returned;
    }

    private static <T> Mono<T> one(Mono<T> mono, MethodCall call) {
        Mono<T> inRun = Mono.fromDirect(new InRun<>(mono, call));
        return call.hasFallback() ? inRun.onErrorResume(thrown -> Mono.from(instead(thrown, call))) : inRun;
    }

    private static <T> Flux<T> many(Flux<T> flux, MethodCall call) {
        Flux<T> inRun = Flux.from(new InRun<>(flux, call));
        return call.hasFallback() ? Flux.defer(() -> insteadOfAll(inRun, call)) : inRun;
    }

    /** An answer that has begun is not followed by another one. */
    private static <T> Flux<T> insteadOfAll(Flux<T> inRun, MethodCall call) {
        AtomicBoolean begun = new AtomicBoolean();
        return inRun.doOnNext(item -> begun.set(true))
                .onErrorResume(thrown -> begun.get() ? Mono.error(thrown) : instead(thrown, call));
    }

    @SuppressWarnings("unchecked") // the fallback returns what the method may return
    private static <T> Publisher<T> instead(Throwable thrown, MethodCall call) {
        try {
            Object fallen = call.threw(thrown);
            return fallen instanceof Publisher<?> publisher ? (Publisher<T>) publisher : Mono.empty();
        } catch (Throwable unanswered) {
            return Mono.error(unanswered);
        }
    }
}
