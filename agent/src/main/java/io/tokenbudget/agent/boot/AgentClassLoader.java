package io.tokenbudget.agent.boot;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * Loads everything of the agent but this package from {@code inst/**.classdata} in the agent's own jar.
 *
 * <p>The name keeps the classes from every other loader and class path scanner. The parent is the platform loader: this
 * loader never asks one of the application, so no lock of the application is ever taken under one of ours.
 */
public final class AgentClassLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    private final JarFile jar;

    AgentClassLoader(File file) throws IOException {
        super("token-budget-agent", getPlatformClassLoader());
        this.jar = new JarFile(file, false);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes;
        try (InputStream in = open(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            bytes = in.readAllBytes();
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
        return defineClass(name, bytes, 0, bytes.length);
    }

    /** A resource of the agent itself; class files by their usual name. */
    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        try {
            InputStream own = open(name);
            return own == null ? super.getResourceAsStream(name) : own;
        } catch (IOException unreadable) {
            return null; // as the JDK's loaders answer
        }
    }

    /** None: a URL into this jar would be opened by the JDK's caching jar handler. */
    @Override
    protected Enumeration<URL> findResources(String name) {
        return Collections.emptyEnumeration();
    }

    private @Nullable InputStream open(String name) throws IOException {
        ZipEntry entry = jar.getEntry("inst/" + (name.endsWith(".class") ? name + "data" : name));
        return entry == null ? null : jar.getInputStream(entry);
    }
}
