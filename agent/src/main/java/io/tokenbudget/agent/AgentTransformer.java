package io.tokenbudget.agent;

import io.tokenbudget.core.Notices;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every class file as it is loaded and hands the few that may be models to the engine, which it starts with the
 * first of them.
 *
 * <p>Thread-safe. The engine starts under this object's lock, inside the class loading of the application. That cannot
 * deadlock because the engine lives in a loader that never asks one of the application: the order is always the
 * application's lock, this one, the agent loader's.
 */
final class AgentTransformer implements ClassFileTransformer {
    private static final int FIRST_WITH_INVOKEDYNAMIC = 51;

    private final Engine engine;
    private final Notices notices;
    private final LoadedApis apis;
    private final Prefilter prefilter = new Prefilter(Hooks.ALL, Hooks.CHOKE_POINTS);
    private final BudgetedAbove budgetedAbove = new BudgetedAbove(new Prefilter(List.of(), List.of()));

    /** Set while this thread is in here: what weaving itself loads is left alone. Holds only a JDK type. */
    @SuppressWarnings("ThreadLocalUsage") // one transformer for a process
    private final ThreadLocal<Boolean> busy = new ThreadLocal<>();

    private volatile @Nullable ClassFileTransformer weaver;

    /** @param apis is told of the annotations of applications as they are loaded */
    AgentTransformer(Engine engine, Notices notices, LoadedApis apis) {
        this.engine = engine;
        this.notices = notices;
        this.apis = apis;
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable Module module,
            @Nullable ClassLoader loader,
            @Nullable String internalName,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        // Our own classes come first: the prefilter would read every one of them while they start the engine.
        if (loader == null || internalName == null || Ignored.hasNoModels(loader)) {
            return null;
        }
        if (LoadedApis.has(internalName)) {
            apis.loaded(loader);
        }
        if (busy.get() != null) {
            return null;
        }
        if (!mayBeWoven(loader, internalName, classFile) || Ignored.is(loader, internalName.replace('/', '.'))) {
            return null;
        }
        if (isTooOld(classFile)) {
            notices.warn(internalName.replace('/', '.')
                    + " is compiled for Java 6 or older and cannot be instrumented: its calls are not metered");
            return null;
        }
        busy.set(Boolean.TRUE);
        try {
            ClassFileTransformer ready = weaver();
            if (!Hooks.isOfRequests(internalName)) {
                engine.seen(loader);
            }
            return ready.transform(module, loader, internalName, redefined, domain, classFile);
        } catch (Throwable fault) {
            notices.warn(internalName + " could not be instrumented, its calls are not metered: " + fault);
            return null;
        } finally {
            busy.remove();
        }
    }

    private boolean mayBeWoven(ClassLoader loader, String internalName, byte[] classFile) {
        if (prefilter.accepts(internalName, classFile)) {
            return !Hooks.isOfRequests(internalName) || engine.readsRequests();
        }
        busy.set(Boolean.TRUE);
        try {
            return budgetedAbove.isAbove(loader, internalName, classFile);
        } catch (Throwable fault) {
            notices.warn(internalName + " could not be looked at for a @TokenBudget above it: " + fault);
            return false;
        } finally {
            busy.remove();
        }
    }

    /** What is woven in, invokedynamic, exists since class files of version 51. */
    private static boolean isTooOld(byte[] classFile) {
        int major = ((classFile[6] & 0xFF) << 8) | (classFile[7] & 0xFF);
        return major < FIRST_WITH_INVOKEDYNAMIC;
    }

    private ClassFileTransformer weaver() {
        ClassFileTransformer present = weaver;
        if (present == null) {
            synchronized (this) {
                present = weaver;
                if (present == null) {
                    present = start();
                    weaver = present;
                }
            }
        }
        return present;
    }

    private ClassFileTransformer start() {
        try {
            return engine.start();
        } catch (Throwable fault) {
            notices.warn("the agent could not start, IT ENFORCES NOTHING: " + fault);
            return Engine.OFF;
        }
    }
}
