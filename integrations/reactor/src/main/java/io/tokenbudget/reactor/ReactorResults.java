package io.tokenbudget.reactor;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.metering.Run;
import io.tokenbudget.core.metering.RunScope;
import io.tokenbudget.core.method.LaterResult;
import io.tokenbudget.core.method.MethodCall;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * {@code Mono}, {@code Flux}, and whatever a method returns as a {@code Publisher}: each subscription works for the run of the
 * call that returned it, on the thread that subscribes, and wherever the Reactor context goes. Thread-safe: it keeps nothing.
 */
public final class ReactorResults implements LaterResult {
    /** The run of the innermost call, for its own subscription. */
    private static final Object RUN = new Object();

    @Override
    public boolean isOf(Object returned) {
        return returned instanceof Publisher<?>;
    }

    @Override
    public Object goesOn(Object returned, MethodCall call) {
        if (returned instanceof Mono<?> mono) {
            return call.mayReturn(Mono.class) ? one(mono, call) : returned;
        }
        return call.mayReturn(Flux.class) ? many(Flux.from((Publisher<?>) returned), call) : returned;
    }

    private static <T> Mono<T> one(Mono<T> mono, MethodCall call) {
        Mono<T> inRun = Mono.fromDirect(shown(mono, call)).contextWrite(context -> with(context, call));
        return call.hasFallback() ? inRun.onErrorResume(thrown -> Mono.from(instead(thrown, call))) : inRun;
    }

    private static <T> Flux<T> many(Flux<T> flux, MethodCall call) {
        Flux<T> inRun = Flux.from(shown(flux, call)).contextWrite(context -> with(context, call));
        return call.hasFallback() ? inRun.onErrorResume(thrown -> instead(thrown, call)) : inRun;
    }

    /** What is done while it is subscribed to is done for the run. */
    private static <T> Publisher<T> shown(Publisher<T> publisher, MethodCall call) {
        return new Publisher<>() {
            @Override
            public void subscribe(Subscriber<? super T> subscriber) {
                CoreSubscriber<? super T> actual = Operators.toCoreSubscriber(subscriber);
                Run run = actual.currentContext().getOrDefault(RUN, null) instanceof Run placed ? placed : call.run();
                RunScope scope = call.show(run);
                try {
                    publisher.subscribe(actual);
                } finally {
                    scope.close();
                }
            }
        };
    }

    /** Of what is carried around it, the run is a part. */
    private static Context with(Context outer, MethodCall call) {
        Run run = call.runIn(outer.getOrDefault(BudgetContext.KEY, null));
        Object carried = run == null ? null : call.meter().carried(run);
        return run == null || carried == null
                ? outer
                : outer.put(BudgetContext.KEY, carried).put(RUN, run);
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
