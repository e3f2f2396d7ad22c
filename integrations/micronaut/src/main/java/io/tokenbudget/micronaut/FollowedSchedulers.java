package io.tokenbudget.micronaut;

import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.reactor.ReactorSchedulers;
import jakarta.annotation.PreDestroy;
import reactor.core.scheduler.Schedulers;

/** Lets what is scheduled on Reactor's schedulers work for whom the thread works that schedules it, while the context runs. */
@Context
@Requires(classes = Schedulers.class)
final class FollowedSchedulers {
    private final CallMeter meter;

    FollowedSchedulers(CallMeter meter) {
        this.meter = meter;
        ReactorSchedulers.follow(meter);
    }

    @PreDestroy
    void leave() {
        ReactorSchedulers.leave(meter);
    }
}
