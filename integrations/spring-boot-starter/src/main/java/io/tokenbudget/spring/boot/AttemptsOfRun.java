package io.tokenbudget.spring.boot;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Run;
import io.tokenbudget.core.metering.RunScope;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * Stands inside of whatever tries a method with {@code @TokenBudget} again. An attempt on another thread works for the run too.
 * A refusal ends the run (C8): an attempt after it gets the same refusal and is not made, since what the method does before the
 * call that was refused would be billed once more. Where waiting helps, only until that has been long enough. Thread-safe.
 */
final class AttemptsOfRun implements MethodInterceptor {
    private static final String ATTRIBUTE = AttemptsOfRun.class.getName();

    private final Supplier<CallMeter> meter;

    AttemptsOfRun(Supplier<CallMeter> meter) {
        this.meter = meter;
    }

    /** What an attempt was refused with, and until when that stands; null for always. */
    private record Standing(Throwable thrown, @Nullable Instant end) {
        boolean isAt(Instant now) {
            return end == null || now.isBefore(end);
        }
    }

    /** What the attempts of one call have in common. */
    private static final class Call {
        private final Thread thread = Thread.currentThread();
        private final @Nullable Run run;

        /** Written by one attempt, read by the next. */
        private volatile @Nullable Standing refused;

        private Call(@Nullable Run run) {
            this.run = run;
        }
    }

    /**
     * The attempts of {@code invocation}, which are clones of it and share its attributes, are those of {@code run}. Called on the
     * thread that works for the run already.
     */
    static void begin(MethodInvocation invocation, @Nullable Run run) {
        if (invocation instanceof ProxyMethodInvocation proxied) {
            proxied.setUserAttribute(ATTRIBUTE, new Call(run));
        }
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        if (!(invocation instanceof ProxyMethodInvocation proxied)
                || !(proxied.getUserAttribute(ATTRIBUTE) instanceof Call call)) {
            return invocation.proceed();
        }
        Standing refused = call.refused;
        if (refused != null && refused.isAt(meter.get().clock().instant())) {
            return refused(refused.thrown(), invocation.getMethod().getReturnType());
        }
        Object returned;
        try {
            returned = proceed(invocation, call);
        } catch (Throwable thrown) {
            note(thrown, call);
            throw thrown;
        }
        if (returned instanceof CompletionStage<?> stage) {
            return stage.whenComplete((result, thrown) -> {
                if (thrown != null) {
                    note(thrown, call);
                }
            });
        }
        return returned;
    }

    private @Nullable Object proceed(MethodInvocation invocation, Call call) throws Throwable {
        if (call.run == null || call.thread == Thread.currentThread()) {
            return invocation.proceed();
        }
        RunScope scope = meter.get().show(call.run);
        try {
            return invocation.proceed();
        } finally {
            scope.close();
        }
    }

    /** Who awaits a stage may not see what is thrown. */
    private static Object refused(Throwable thrown, Class<?> type) throws Throwable {
        if (CompletionStage.class.isAssignableFrom(type) && type.isAssignableFrom(CompletableFuture.class)) {
            return CompletableFuture.failedFuture(thrown);
        }
        throw thrown;
    }

    private void note(Throwable thrown, Call call) {
        if (meter.get().refusalAmong(thrown) instanceof LimitExceededException refusal) {
            Duration wait = refusal.retryAfter();
            call.refused = new Standing(
                    thrown, wait == null ? null : meter.get().clock().instant().plus(wait));
        }
    }
}
