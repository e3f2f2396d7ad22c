package io.tokenbudget.agent;

import io.tokenbudget.core.Notices;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Which applications are the agent's to meter, and what their operator is told of that: what the agent goes by with the first
 * class of one that is, and that it is left alone of one that brings a limiter of its own. Whether anything is enforced there is
 * that limiter's to say: the agent's configuration, or that it has none, is not told for it.
 *
 * <p>Keeps no loader alive. Thread-safe, and holds no lock while it asks one.
 */
final class Applications {
    private static final String CORE = "io.tokenbudget.core.TokenLimiters";
    private static final String CORE_FILE = CORE.replace('.', '/') + ".class";
    private static final ClassLoader AGENT = Applications.class.getClassLoader();

    private final Notices notices;
    private final Runnable announcement;
    private final AtomicBoolean announced = new AtomicBoolean();
    private final AtomicBoolean saidLeftAlone = new AtomicBoolean();

    /** So that most classes of an application that is left alone are not asked about again. */
    private volatile WeakReference<@Nullable ClassLoader> lastLeftAlone = new WeakReference<>(null);

    /** @param announcement tells what the agent goes by; run once, with the first application that it is for */
    Applications(Notices notices, Runnable announcement) {
        this.notices = notices;
        this.announcement = announcement;
    }

    /** {@code loader} defines a class that may be a model. Called while it is loaded: loads nothing. */
    void seen(ClassLoader loader) {
        if (announced.get() || lastLeftAlone.get() == loader) {
            return;
        }
        if (looksMetered(loader)) {
            lastLeftAlone = new WeakReference<>(loader);
            sayLeftAlone();
        } else {
            announce();
        }
    }

    /** Whether {@code loader} finds the class file of a limiter that is not the agent's. Loads nothing. */
    boolean looksMetered(ClassLoader loader) {
        try {
            URL theirs = loader.getResource(CORE_FILE);
            return theirs != null && !theirs.toString().equals(String.valueOf(AGENT.getResource(CORE_FILE)));
        } catch (RuntimeException | LinkageError faultOfTheLoader) {
            return false;
        }
    }

    /** One call, one ledger: whether {@code loader} has a limiter of its own, so that its calls are not the agent's to charge. */
    boolean isMetered(ClassLoader loader) {
        try {
            if (Class.forName(CORE, false, loader).getClassLoader() == AGENT) {
                return false;
            }
        } catch (ClassNotFoundException | LinkageError none) {
            return false;
        }
        sayLeftAlone();
        return true;
    }

    /** There is an application whose calls the agent meters. */
    void announce() {
        if (!announced.getAndSet(true)) {
            announcement.run();
        }
    }

    private void sayLeftAlone() {
        if (!saidLeftAlone.getAndSet(true)) {
            notices.warn("the application brings token-budget-core: metering its calls is left to it, the agent"
                    + " neither charges nor refuses them and does not go by a configuration of its own");
        }
    }
}
