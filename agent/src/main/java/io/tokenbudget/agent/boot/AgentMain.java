package io.tokenbudget.agent.boot;

import java.io.File;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.net.URL;
import java.security.CodeSource;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** Where the JVM starts the agent, and where {@code java -jar} starts its command line. */
public final class AgentMain {
    private static final String ACTIVE = "token-budget.agent.active";

    private AgentMain() {}

    /** Called by the JVM before the application's {@code main}. Never throws: that would end the application. */
    public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
        start(arguments, instrumentation);
    }

    /** Called by the JVM when the agent is attached to a running application. Never throws. */
    public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
        start(arguments, instrumentation);
    }

    /** {@code java -jar token-budget-agent.jar}. */
    public static void main(String[] arguments) throws Throwable {
        try {
            Class.forName("io.tokenbudget.agent.cli.AgentCommand", true, new AgentClassLoader(ownJar()))
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) arguments);
        } catch (InvocationTargetException thrown) {
            throw causeOf(thrown);
        }
    }

    private static void start(@Nullable String arguments, Instrumentation instrumentation) {
        try {
            if (isJdkTool()) {
                return;
            }
            if (System.getProperty(ACTIVE) != null) {
                say("the agent is given twice: the second one stands down");
                return;
            }
            ClassLoader loader = new AgentClassLoader(ownJar());
            System.setProperty(ACTIVE, "true");
            Class.forName("io.tokenbudget.agent.Agent", true, loader)
                    .getMethod("start", String.class, Instrumentation.class)
                    .invoke(null, arguments, instrumentation);
        } catch (InvocationTargetException fault) {
            sayNotStarted(causeOf(fault));
        } catch (Throwable fault) {
            sayNotStarted(fault);
        }
    }

    /** Whether this JVM runs {@code javac}, {@code jcmd} and the like, which inherit {@code JAVA_TOOL_OPTIONS}. */
    private static boolean isJdkTool() {
        String module = System.getProperty("jdk.module.main", "");
        boolean runsSourceFile = System.getProperty("sun.java.command", "").contains("javac.launcher.");
        return (module.startsWith("jdk.") || module.startsWith("java.")) && !runsSourceFile;
    }

    private static File ownJar() throws IOException, URISyntaxException {
        CodeSource source = AgentMain.class.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        if (location == null || !"file".equals(location.getProtocol())) {
            throw new IOException("it must be a file of its own, and was found in " + location);
        }
        File file = new File(location.toURI());
        if (!file.isFile()) {
            throw new IOException("it must be a jar file, and was found in " + file);
        }
        try (JarFile jar = new JarFile(file, false)) {
            Manifest manifest = jar.getManifest();
            String premain =
                    manifest == null ? null : manifest.getMainAttributes().getValue("Premain-Class");
            if (!AgentMain.class.getName().equals(premain)) {
                throw new IOException("it must not be packed into another jar, and was found in " + file);
            }
        }
        return file;
    }

    private static Throwable causeOf(InvocationTargetException thrown) {
        Throwable cause = thrown.getCause();
        return cause == null ? thrown : cause;
    }

    private static void sayNotStarted(Throwable fault) {
        say("the agent could not start, IT ENFORCES NOTHING: " + fault);
    }

    private static void say(String line) {
        System.err.println("[token-budget] " + line.replace('\n', ' ').replace('\r', ' '));
    }
}
