package io.tokenbudget.agent;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.SimpleRemapper;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/**
 * The copy of {@link TokenBudgetDispatcher} in {@code java.lang}: defined once in a JVM, connected to one agent.
 *
 * <p>{@code java.lang} because no class loader may define a class there, so every one of them, OSGi and JBoss Modules
 * included, asks the boot loader. Defining it through a lookup needs neither {@code Unsafe}, which newer JDKs refuse, nor
 * an entry on the boot class path, which costs the application its CDS archive.
 */
final class Dispatcher {
    private static final String NAME = "java.lang.TokenBudgetDispatcher";

    private final Method bootstrap;
    private final Method fault;
    private final Field target;

    private Dispatcher(Class<?> dispatcher) throws ReflectiveOperationException {
        bootstrap = dispatcher.getMethod(
                "bootstrap", MethodHandles.Lookup.class, String.class, MethodType.class, Object[].class);
        fault = dispatcher.getMethod("fault", Throwable.class);
        target = dispatcher.getField("target");
        if (bootstrap.getReturnType() != CallSite.class
                || fault.getReturnType() != void.class
                || target.getType() != MethodHandle.class) {
            throw new NoSuchMethodException(NAME + " of another version is here");
        }
    }

    /**
     * Finds the dispatcher or defines it, and connects it to {@code linker}.
     *
     * @throws IllegalStateException if it is connected to another agent
     * @throws ReflectiveOperationException if one is here that does not fit, or none can be defined
     */
    static Dispatcher connect(Instrumentation instrumentation, MethodHandle linker)
            throws ReflectiveOperationException, IOException {
        Class<?> dispatcher = find();
        if (dispatcher == null) {
            dispatcher = define(instrumentation);
        }
        Dispatcher connected = new Dispatcher(dispatcher);
        connected.connect(linker);
        return connected;
    }

    /** What {@code invokedynamic} instructions name. */
    Method bootstrap() {
        return bootstrap;
    }

    /** Where an advice's fault goes. */
    Method fault() {
        return fault;
    }

    private void connect(MethodHandle linker) throws IllegalAccessException {
        synchronized (target.getDeclaringClass()) {
            if (target.get(null) != null) {
                throw new IllegalStateException("another copy of this agent is active");
            }
            target.set(null, linker);
        }
    }

    private static @Nullable Class<?> find() {
        try {
            return Class.forName(NAME, true, null);
        } catch (ClassNotFoundException notYet) {
            return null;
        }
    }

    private static Class<?> define(Instrumentation instrumentation) throws IllegalAccessException, IOException {
        Set<Module> ours = Set.of(Dispatcher.class.getModule());
        instrumentation.redefineModule(
                Object.class.getModule(), Set.of(), Map.of(), Map.of("java.lang", ours), Set.of(), Map.of());
        return MethodHandles.privateLookupIn(Object.class, MethodHandles.lookup())
                .defineClass(renamed());
    }

    private static byte[] renamed() throws IOException {
        String from = TokenBudgetDispatcher.class.getName().replace('.', '/');
        try (InputStream in = Dispatcher.class.getResourceAsStream("TokenBudgetDispatcher.class")) {
            if (in == null) {
                throw new IOException(from + " is missing in the agent's jar");
            }
            ClassWriter writer = new ClassWriter(0);
            SimpleRemapper renaming = new SimpleRemapper(OpenedClassReader.ASM_API, from, NAME.replace('.', '/'));
            new ClassReader(in.readAllBytes()).accept(new ClassRemapper(writer, renaming), 0);
            return writer.toByteArray();
        }
    }
}
