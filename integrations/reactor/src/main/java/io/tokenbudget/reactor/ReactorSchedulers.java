package io.tokenbudget.reactor;

import io.tokenbudget.core.metering.CallMeter;
import java.util.IdentityHashMap;
import reactor.core.scheduler.Schedulers;

/**
 * Lets what is scheduled on Reactor's schedulers work for whom the thread works that schedules it: {@code subscribeOn} and
 * {@code publishOn} keep the run of an annotated method, and the context that is open where they are subscribed to.
 *
 * <p>What is carried in the Reactor context alone is not on the scheduling thread: that is what Micrometer's context
 * propagation brings there ({@link BudgetContextAccessor}). Thread-safe; the hooks are Reactor's own, one for each meter.
 */
public final class ReactorSchedulers {
    private static final String HOOK = "io.tokenbudget@";

    /** How often; guarded by itself, with the hooks. */
    private static final IdentityHashMap<CallMeter, Integer> FOLLOWED = new IdentityHashMap<>();

    private ReactorSchedulers() {}

    /** From now on, until it has been left as often as it has been followed: contexts of one application share a meter. */
    public static void follow(CallMeter meter) {
        synchronized (FOLLOWED) {
            if (FOLLOWED.merge(meter, 1, Integer::sum) == 1) {
                Schedulers.onScheduleHook(hook(meter), meter::wrap);
            }
        }
    }

    /** No longer. */
    public static void leave(CallMeter meter) {
        synchronized (FOLLOWED) {
            Integer left = FOLLOWED.computeIfPresent(meter, (followed, times) -> times == 1 ? null : times - 1);
            if (left == null) {
                Schedulers.resetOnScheduleHook(hook(meter));
            }
        }
    }

    private static String hook(CallMeter meter) {
        return HOOK + Integer.toHexString(System.identityHashCode(meter));
    }
}
