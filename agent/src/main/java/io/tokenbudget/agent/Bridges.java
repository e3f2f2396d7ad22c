package io.tokenbudget.agent;

import io.tokenbudget.core.Notices;
import io.tokenbudget.core.metering.Metering;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The bridge loader of each class loader of the application that has models.
 *
 * <p>Nothing here keeps one alive: it lives as long as the woven classes that are linked to it. Compared by identity and
 * found by a short walk, because a loader's own {@code equals} would be the application's code under our lock; this is
 * asked only when a call is linked. Thread-safe: one lock, under which no loader is ever called.
 */
final class Bridges {
    private final List<WeakReference<BridgeLoader>> loaders = new ArrayList<>();
    private final Metering metering;
    private final Notices notices;
    private final LoadedApis apis;
    private final Applications applications;

    Bridges(Metering metering, Notices notices, LoadedApis apis, Applications applications) {
        this.metering = metering;
        this.notices = notices;
        this.apis = apis;
        this.applications = applications;
    }

    BridgeLoader of(ClassLoader application) {
        synchronized (loaders) {
            for (Iterator<WeakReference<BridgeLoader>> each = loaders.iterator(); each.hasNext(); ) {
                BridgeLoader bridge = each.next().get();
                if (bridge == null) {
                    each.remove();
                } else if (bridge.application() == application) {
                    return bridge;
                }
            }
            BridgeLoader bridge = new BridgeLoader(application, metering, notices, applications, apis);
            loaders.add(new WeakReference<>(bridge));
            return bridge;
        }
    }
}
