package io.tokenbudget.reactor;

import io.tokenbudget.core.metering.CallMeter;
import reactor.core.scheduler.Schedulers;

/**
 * Lets what is scheduled on Reactor's schedulers work for whom the thread works that schedules it: {@code subscribeOn} and
 * {@code publishOn} keep the run of an annotated method, and the context that is open where they are subscribed to.
 *
 * <p>What is carried in the Reactor context alone is not on the scheduling thread: that is what Micrometer's context
 * propagation brings there ({@link BudgetContextAccessor}). Stateless; the hooks are Reactor's own, one for
 * each meter.
 */
public final class ReactorSchedulers {
    private static final String HOOK = "io.tokenbudget@";

    private ReactorSchedulers() {}

    /** From now on. */
    public static void follow(CallMeter meter) {
        Schedulers.onScheduleHook(hook(meter), meter::wrap);
    }

    /** No longer. */
    public static void leave(CallMeter meter) {
        Schedulers.resetOnScheduleHook(hook(meter));
    }

    private static String hook(CallMeter meter) {
        return HOOK + Integer.toHexString(System.identityHashCode(meter));
    }
}
