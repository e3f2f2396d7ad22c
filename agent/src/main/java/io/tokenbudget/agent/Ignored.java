package io.tokenbudget.agent;

/** Classes that are never looked at, by name and loader alone. */
final class Ignored {
    private static final ClassLoader OWN = Ignored.class.getClassLoader();
    private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

    /** Our own classes, and those of other agents and weavers. */
    private static final String[] PREFIXES = {
        "java.",
        "jdk.",
        "sun.",
        "com.sun.proxy.",
        "io.tokenbudget.agent.",
        "io.tokenbudget.core.",
        "io.tokenbudget.langchain4j.",
        "io.tokenbudget.reactor.",
        "io.tokenbudget.springai.",
        "net.bytebuddy.",
        "org.aspectj.",
        "io.opentelemetry.javaagent.",
        "co.elastic.apm.agent.",
        "datadog.",
        "com.newrelic.",
        "com.nr.agent.",
        "com.dynatrace.",
        "com.appdynamics.",
        "com.singularity.",
        "com.instana.",
        "com.contrastsecurity.",
        "org.glowroot.",
        "org.jboss.byteman.",
    };

    /**
     * What generators of proxies write into the names of their classes. Not every {@code $$}: compilers write that too, such
     * as Scala's {@code Factory$$anon$1} and Kotlin's {@code Factory$$inlined$make$1}. A proxy that is not known here is a
     * decorator like any other.
     */
    private static final String[] PROXY_MARKERS = {
        "$Proxy",
        "$$SpringCGLIB$$",
        "$$EnhancerBy",
        "$$FastClassBy",
        "$HibernateProxy$",
        "$$_javassist",
        "_$$_jvst",
        "$$_WeldClientProxy",
        "$$_WeldSubclass",
        "$$OwbNormalScopeProxy",
        "$$OwbInterceptProxy",
        "$$$view",
        "$$Lambda",
        "$MockitoMock$",
        "$$$EasyMock$",
    };

    private static final String[] PROXY_ENDINGS = {"_ClientProxy", "$Intercepted"};

    private Ignored() {}

    /** Whether no class of a loader is ever a model: the agent's own loader and the JDK's. */
    static boolean hasNoModels(ClassLoader loader) {
        return loader == OWN || loader == PLATFORM;
    }

    /**
     * @param loader the class's loader, not null: the boot loader has no models
     * @param name with dots
     */
    static boolean is(ClassLoader loader, String name) {
        if (hasNoModels(loader) || isGeneratedProxy(name)) {
            return true;
        }
        for (String prefix : PREFIXES) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** Proxies hand each call on to the object they stand for, which is metered there. */
    private static boolean isGeneratedProxy(String name) {
        for (String ending : PROXY_ENDINGS) {
            if (name.endsWith(ending)) {
                return true;
            }
        }
        if (name.indexOf('$') < 0) {
            return false;
        }
        for (String marker : PROXY_MARKERS) {
            if (name.contains(marker)) {
                return true;
            }
        }
        return false;
    }
}
