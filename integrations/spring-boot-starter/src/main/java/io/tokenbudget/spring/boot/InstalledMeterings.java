package io.tokenbudget.spring.boot;

import io.tokenbudget.core.metering.Metering;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Of several applications in a process the one that started last, of those that run, has the process's limiter. Thread-safe: one
 * lock.
 */
final class InstalledMeterings {
    /** In the order of their start; guarded by itself. */
    private static final List<Metering> OPEN = new ArrayList<>();

    private InstalledMeterings() {}

    /** Makes {@code metering} the process's until {@code context} is closed. */
    static void open(Metering metering, ApplicationContext context) {
        synchronized (OPEN) {
            metering.install();
            if (context instanceof ConfigurableApplicationContext closeable) {
                OPEN.add(metering);
                closeable.addApplicationListener((ContextClosedEvent closed) -> {
                    if (closed.getApplicationContext() == context) {
                        close(metering);
                    }
                });
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // one of several alike
    private static void close(Metering metering) {
        synchronized (OPEN) {
            OPEN.remove(metering);
            if (!OPEN.isEmpty() && Metering.installed() == metering) {
                OPEN.get(OPEN.size() - 1).install();
            }
        }
    }
}
