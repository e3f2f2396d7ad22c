package io.tokenbudget.micronaut;

import io.micronaut.context.annotation.Requires;
import io.tokenbudget.core.method.LaterResult;
import io.tokenbudget.core.method.MethodCall;
import io.tokenbudget.reactor.ReactorResults;
import jakarta.inject.Singleton;
import reactor.core.publisher.Flux;

/** What methods return as a Reactor type. Thread-safe: it keeps nothing. */
@Singleton
@Requires(classes = Flux.class)
final class PublisherResults implements LaterResult {
    private final ReactorResults reactor = new ReactorResults();

    @Override
    public boolean isOf(Object returned) {
        return reactor.isOf(returned);
    }

    @Override
    public boolean beginsLater(Class<?> returnType) {
        return reactor.beginsLater(returnType);
    }

    @Override
    public Object goesOn(Object returned, MethodCall call) {
        return reactor.goesOn(returned, call);
    }
}
