package io.tokenbudget.agent;

import io.tokenbudget.core.Notices;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Metering;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Gives the integrations typed access to one application loader's framework.
 *
 * <pre>
 *   advices, io.tokenbudget.langchain4j, .springai   defined here, from the agent's jar
 *   io.tokenbudget.**                                the agent loader's: one ledger for the process
 *   everything else                                  the application loader's: its framework, its libraries
 * </pre>
 *
 * <p>Thread-safe, and holds no lock while it asks another loader: two threads may both try to define a class, and the
 * loser takes the winner's. Public because advices, which it defines, call {@link #meterFor}.
 */
public final class BridgeLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    /** What is defined here; a class with such a name in the agent loader is never used. */
    private static final List<String> OWN = List.of(
            "io.tokenbudget.agent.advice.",
            "io.tokenbudget.langchain4j.",
            "io.tokenbudget.reactor.",
            "io.tokenbudget.springai.");

    private static final ClassLoader AGENT = BridgeLoader.class.getClassLoader();

    private final ClassLoader application;
    private final Metering metering;
    private final Notices notices;
    private final Map<String, AdviceMethods> advices = new ConcurrentHashMap<>();

    /** Kinds of calls that have been said to be unmetered. */
    private final Set<String> notMetered = ConcurrentHashMap.newKeySet();

    private final Applications applications;
    private final LoadedApis apis;
    private volatile @Nullable CallMeter meter;

    /** @param applications shared: a loader that stands down is kept by nobody, and made again for the next call */
    BridgeLoader(
            ClassLoader application, Metering metering, Notices notices, Applications applications, LoadedApis apis) {
        super("token-budget-bridge", AGENT);
        this.application = application;
        this.metering = metering;
        this.notices = notices;
        this.applications = applications;
        this.apis = apis;
    }

    /** Where the calls of {@code advice}, a class defined by a bridge loader, are booked. */
    public static CallMeter meterFor(Class<?> advice) {
        return ((BridgeLoader) advice.getClassLoader()).meter();
    }

    /** Whether a class of this name is defined by bridge loaders. */
    static boolean defines(String className) {
        for (String prefix : OWN) {
            if (className.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    ClassLoader application() {
        return application;
    }

    /** The two methods of an advice, or what counts the call if the framework is not one the advice can work with. */
    AdviceMethods advice(String name, String kind) {
        AdviceMethods known = advices.get(name);
        if (known == null) {
            AdviceMethods found = find(name, kind);
            AdviceMethods earlier = advices.putIfAbsent(name, found);
            known = earlier == null ? found : earlier;
        }
        return known;
    }

    private AdviceMethods find(String name, String kind) {
        if (applications.isMetered(application)) {
            return AdviceMethods.none();
        }
        if (!kind.isEmpty()) {
            applications.announce();
        }
        meter(); // asks the application's loader: not from within the initialiser of an advice
        try {
            String missing = Compatibility.missing(name, this);
            if (missing == null) {
                return AdviceMethods.of(Class.forName(name, true, this));
            }
            say(kindsThatLackSomething(name), "it has no " + missing);
        } catch (Throwable fault) {
            say(Set.of(kind), "the agent failed with " + fault);
        }
        return kind.isEmpty() ? AdviceMethods.none() : AdviceMethods.counting(meter(), kind);
    }

    /** The framework's own type does not have {@code point}. Called while that type is loaded: loads nothing. */
    void lacks(ChokePoint point) {
        if (!applications.looksMetered(application)) {
            say(Set.of(point.kind()), "it has no " + point);
        }
    }

    /** What is missing for one advice is missing for others too: the kinds of calls of them all, for one line. */
    private Set<String> kindsThatLackSomething(String advice) throws IOException {
        Framework framework = Framework.ofAdvice(advice);
        Set<String> kinds = new LinkedHashSet<>();
        for (Hook hook : Hooks.ALL) {
            if (hook.isMetered()
                    && Framework.ofAdvice(hook.advice()) == framework
                    && !kinds.contains(hook.kind())
                    && Compatibility.missing(hook.advice(), this) != null) {
                kinds.add(hook.kind());
            }
        }
        return kinds.isEmpty() ? Set.of("") : kinds;
    }

    /** One line, unless all of these kinds have been said. */
    private void say(Set<String> kinds, String reason) {
        boolean isNew = false;
        for (String kind : kinds) {
            isNew |= notMetered.add(kind);
        }
        if (isNew) {
            notices.warn(NotMetered.line(kinds, application, reason));
        }
    }

    private CallMeter meter() {
        CallMeter present = meter;
        if (present == null) {
            ApplicationApi api = ApplicationApi.seenBy(application, apis);
            present = metering.meter(api, api);
            meter = present;
        }
        return present;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (defines(name)) {
            return own(name);
        }
        return name.startsWith("io.tokenbudget.") ? AGENT.loadClass(name) : application.loadClass(name);
    }

    private Class<?> own(String name) throws ClassNotFoundException {
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null) {
            return loaded;
        }
        byte[] bytes = bytes(name);
        try {
            return defineClass(name, bytes, 0, bytes.length);
        } catch (LinkageError perhapsTwice) {
            loaded = findLoadedClass(name);
            if (loaded == null) {
                throw perhapsTwice;
            }
            return loaded;
        }
    }

    private static byte[] bytes(String name) throws ClassNotFoundException {
        try (InputStream in = AGENT.getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }
}
