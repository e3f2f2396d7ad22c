package io.tokenbudget.agent;

import io.tokenbudget.agent.status.StatusServer;
import io.tokenbudget.core.Notices;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.Metering;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything that starts with the first class that may be a model: configuration, limiter, dispatcher, weaver. */
final class Engine {
    /** Weaves nothing. */
    static final ClassFileTransformer OFF = new ClassFileTransformer() {};

    private static final String NEXUS = "net.bytebuddy.nexus.disabled";

    private final @Nullable String arguments;
    private final Instrumentation instrumentation;
    private final Notices notices;
    private final LoadedApis apis;
    private volatile @Nullable Boolean readsRequests;
    private volatile @Nullable Applications applications;

    Engine(@Nullable String arguments, Instrumentation instrumentation, Notices notices, LoadedApis apis) {
        this.arguments = arguments;
        this.instrumentation = instrumentation;
        this.notices = notices;
        this.apis = apis;
    }

    /**
     * Whether the configuration may ask requests who is calling: else nothing starts because an application serves some.
     * Known before the configuration is read. Two threads that both find it unset find the same.
     */
    boolean readsRequests() {
        Boolean known = readsRequests;
        if (known == null) {
            known = Configuration.mayReadRequests(
                    AgentArguments.parse(arguments), Configuration.systemProperties(), System.getenv());
            readsRequests = known;
        }
        return known;
    }

    /** Called once. */
    ClassFileTransformer start() throws Exception {
        preload();
        Map<String, String> options = AgentArguments.parse(arguments);
        Map<String, String> properties = Configuration.systemProperties();
        Configuration configuration = Configuration.read(options, properties, System.getenv());
        Metering metering = new Metering(
                TokenLimiters.builder().settings(configuration.settings()).build(),
                notices,
                CallLogOption.read(options, properties, System.getenv(), notices));
        Applications found = new Applications(notices, () -> announce(configuration, metering));
        Bridges bridges = new Bridges(metering, notices, apis, found);
        Linker linker = new Linker(bridges, notices.once());
        Dispatcher dispatcher = Dispatcher.connect(instrumentation, linker.handle());
        ClassFileTransformer weaver = withoutNexus(dispatcher, bridges);
        applications = found;
        return weaver;
    }

    /** {@code loader} defines a class that may be a model. Called without a lock: asks that loader. */
    void seen(ClassLoader loader) {
        Applications found = applications;
        if (found != null) {
            found.seen(loader);
        }
    }

    private void announce(Configuration configuration, Metering metering) {
        configuration.lines().forEach(notices::warn);
        int port = configuration.settings().statusPort();
        if (port != 0) {
            StatusServer.start(port, metering::report, notices);
        }
    }

    /**
     * Classes of the JDK that would be initialised in the middle of what we do. Inside a class loading callback that is
     * reported as a false circularity (JDK-8164165 and its like). On a thread whose stack is nearly used up it fails, and
     * then the class is of no use to the application either, until its JVM ends.
     */
    static final List<String> PRELOADED = List.of(
            "java.util.concurrent.ThreadLocalRandom",
            "java.lang.invoke.MethodHandle$1",
            "java.lang.StackTraceElement$HashedModules",
            "java.lang.invoke.MethodHandleImpl$CountingWrapper",
            "java.time.Duration",
            "java.time.Instant",
            "java.util.concurrent.atomic.AtomicReference",
            "java.util.stream.Nodes$SpinedNodeBuilder");

    private static void preload() {
        for (String name : PRELOADED) {
            try {
                Class.forName(name);
            } catch (ClassNotFoundException e) {
                // A JDK without this class does not have the problem.
            }
        }
    }

    /** Byte Buddy's nexus serves initialisers that we have none of, and defines its class with {@code Unsafe}. */
    private ClassFileTransformer withoutNexus(Dispatcher dispatcher, Bridges bridges) {
        String before = System.getProperty(NEXUS);
        System.setProperty(NEXUS, "true");
        try {
            return new Weaver(dispatcher, notices, bridges);
        } finally {
            if (before == null) {
                System.clearProperty(NEXUS);
            } else {
                System.setProperty(NEXUS, before);
            }
        }
    }
}
