package io.tokenbudget.micronaut;

import io.micronaut.context.BeanProvider;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.core.order.Ordered;
import io.micronaut.scheduling.instrument.InstrumentedExecutorService;
import io.micronaut.scheduling.instrument.InstrumentedScheduledExecutorService;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.RunScope;
import io.tokenbudget.core.metering.Standing;
import jakarta.inject.Singleton;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Lets what Micronaut's executors run work for whom the thread works that hands it in: {@code @Async}, {@code @ExecuteOn}, its
 * scheduler, and whoever has one injected. The outermost of what Micronaut puts around an executor, so that a run counts above what
 * its propagated context says of the request. Thread-safe.
 */
@Singleton
final class FollowedExecutors implements BeanCreatedEventListener<ExecutorService>, Ordered {
    private final BeanProvider<CallMeter> meter;

    /** A provider: it is made before every other bean. */
    FollowedExecutors(BeanProvider<CallMeter> meter) {
        this.meter = meter;
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public ExecutorService onCreated(BeanCreatedEvent<ExecutorService> event) {
        ExecutorService executor = event.getBean();
        if (event.getBeanDefinition().getBeanType() != ExecutorService.class) {
            return executor;
        }
        return executor instanceof ScheduledExecutorService scheduled
                ? new Scheduled(scheduled, meter)
                : new Plain(executor, meter);
    }

    private static Runnable following(Runnable task, CallMeter meter) {
        return meter.wrap(task);
    }

    private static <T> Callable<T> following(Callable<T> task, CallMeter meter) {
        if (!meter.knowsCaller()) {
            return task;
        }
        Standing here = meter.standing();
        return () -> {
            RunScope shown = here.show();
            try {
                return task.call();
            } finally {
                shown.close();
            }
        };
    }

    private record Plain(ExecutorService target, BeanProvider<CallMeter> meter) implements InstrumentedExecutorService {
        @Override
        public ExecutorService getTarget() {
            return target;
        }

        @Override
        public Runnable instrument(Runnable task) {
            return following(task, meter.get());
        }

        @Override
        public <T> Callable<T> instrument(Callable<T> task) {
            return following(task, meter.get());
        }
    }

    private record Scheduled(ScheduledExecutorService target, BeanProvider<CallMeter> meter)
            implements InstrumentedScheduledExecutorService {
        @Override
        public ScheduledExecutorService getTarget() {
            return target;
        }

        @Override
        public Runnable instrument(Runnable task) {
            return following(task, meter.get());
        }

        @Override
        public <T> Callable<T> instrument(Callable<T> task) {
            return following(task, meter.get());
        }
    }
}
