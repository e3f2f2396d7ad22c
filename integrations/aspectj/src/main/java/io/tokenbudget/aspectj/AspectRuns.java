package io.tokenbudget.aspectj;

import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.core.method.MethodRuns;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.reflect.MethodSignature;
import org.jspecify.annotations.Nullable;

/**
 * The runs of the limiter that the application has installed; the methods of one that has none are called as they are.
 * Thread-safe: the one field is written once for each {@link Metering}, and two threads that both write it write the same.
 */
final class AspectRuns {
    private static volatile @Nullable AspectRuns last;

    private final Metering metering;
    private final MethodRuns runs;

    private AspectRuns(Metering metering) {
        ClassLoader loader = AspectRuns.class.getClassLoader();
        this.metering = metering;
        this.runs = MethodRuns.of(metering.meter(CallerSource.of(loader), RefusalFactory.OWN), loader);
    }

    static @Nullable Object call(ProceedingJoinPoint method) throws Throwable {
        Metering metering = Metering.installed();
        if (metering == null) {
            return method.proceed();
        }
        AspectRuns known = last;
        if (known == null || known.metering != metering) {
            known = new AspectRuns(metering);
            last = known;
        }
        MethodSignature signature = (MethodSignature) method.getSignature();
        return known.runs.call(signature.getMethod(), method.getTarget(), method.getArgs(), method::proceed);
    }
}
