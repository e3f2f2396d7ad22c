package io.tokenbudget.agent;

import java.lang.instrument.Instrumentation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the boot class comes in.
 *
 * <p>Before the application's {@code main} this only registers a transformer that looks at class files; everything else
 * starts with the first class that calls a model. No lambdas on this path: linking the first one costs a small JVM more
 * than all the rest.
 */
public final class Agent {
    private Agent() {}

    /**
     * @param arguments what follows {@code =} after the jar's name, or null
     */
    public static void start(@Nullable String arguments, Instrumentation instrumentation) throws Exception {
        LoadedApis apis = new LoadedApis(Console.STDERR);
        AgentTransformer transformer = new AgentTransformer(
                new Engine(arguments, instrumentation, Console.STDERR, apis), Console.STDERR, apis);
        instrumentation.addTransformer(transformer, true);
        // With an AOT cache, or attached to a running JVM, the application's classes are here before us.
        Class<?>[] present = instrumentation.getAllLoadedClasses();
        apis.among(present);
        List<Class<?>> loaded = LoadedModels.among(present);
        for (Class<?> model : loaded) {
            try {
                instrumentation.retransformClasses(model);
            } catch (Throwable fault) {
                Console.STDERR.warn(model.getName() + " was loaded before the agent and could not be instrumented,"
                        + " its calls are not metered: " + fault);
            }
        }
    }
}
