package io.tokenbudget.launches;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.implementation.ExceptionMethod;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.pool.TypePool;

/** Copies of the agent in which one method throws. */
final class BrokenAgent {
    static final String FAULT = "injected by a test";

    private static final String PREFIX = "inst/";
    private static final String SUFFIX = ".classdata";

    private BrokenAgent() {}

    /** The agent with {@code method} of {@code type} throwing a {@link LinkageError}. */
    static Path with(Path folder, String type, String method) {
        Path copy = folder.resolve("broken-agent.jar");
        String brokenEntry = PREFIX + type.replace('.', '/') + SUFFIX;
        try (JarFile agent = new JarFile(Fixture.AGENT.toFile());
                OutputStream file = Files.newOutputStream(copy);
                JarOutputStream jar = new JarOutputStream(file)) {
            for (JarEntry entry : Collections.list(agent.entries())) {
                jar.putNextEntry(new JarEntry(entry.getName()));
                boolean broken = entry.getName().equals(brokenEntry);
                jar.write(broken ? broken(agent, type, method) : read(agent, entry.getName()));
                jar.closeEntry();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return copy;
    }

    private static byte[] broken(JarFile agent, String type, String method) {
        ClassFileLocator locator = new ClassFileLocator.Compound(
                new OfAgent(agent), ClassFileLocator.ForClassLoader.of(BrokenAgent.class.getClassLoader()));
        TypeDescription description =
                TypePool.Default.of(locator).describe(type).resolve();
        ElementMatcher<MethodDescription> chosen = ElementMatchers.named(method);
        if (description.getDeclaredMethods().filter(chosen).isEmpty()) {
            throw new IllegalArgumentException(type + " has no method " + method);
        }
        return new ByteBuddy()
                .redefine(description, locator)
                .method(chosen)
                .intercept(ExceptionMethod.throwing(LinkageError.class, FAULT))
                .make()
                .getBytes();
    }

    private static byte[] read(JarFile jar, String name) throws IOException {
        try (InputStream in = jar.getInputStream(jar.getJarEntry(name))) {
            return in.readAllBytes();
        }
    }

    private static final class OfAgent implements ClassFileLocator {
        private final JarFile agent;

        OfAgent(JarFile agent) {
            this.agent = agent;
        }

        @Override
        public Resolution locate(String name) throws IOException {
            String entry = PREFIX + name.replace('.', '/') + SUFFIX;
            return agent.getJarEntry(entry) == null
                    ? new Resolution.Illegal(name)
                    : new Resolution.Explicit(read(agent, entry));
        }

        @Override
        public void close() {
            // Whoever opened the jar closes it.
        }
    }
}
