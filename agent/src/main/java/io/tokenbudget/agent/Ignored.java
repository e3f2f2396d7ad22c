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
        int dollars = name.indexOf("$$");
        return (dollars >= 0 && !name.startsWith("$$anon", dollars)) // anonymous classes of Scala
                || name.contains("$Proxy")
                || name.contains("$MockitoMock$")
                || name.endsWith("_ClientProxy")
                || name.endsWith("$Intercepted");
    }
}
