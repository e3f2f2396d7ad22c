package io.tokenbudget.launches;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.Remapper;
import net.bytebuddy.utility.OpenedClassReader;

/**
 * Copies of an application in which its framework is of a version that does not exist: the real one with one method renamed
 * wherever the framework declares or calls it, so that everything works as before.
 */
final class FutureFramework {
    static final String VERSION = "99.0.0";

    private FutureFramework() {}

    /**
     * Copies the jars of a folder.
     *
     * @param prefix of the framework's class names, {@code dev/langchain4j/}
     * @param method what is renamed, with its descriptor: {@code doChat(LA;)LB;}
     */
    static void ofFolder(Path libraries, Path copies, String prefix, String method) {
        try (Stream<Path> jars = Files.list(libraries)) {
            for (Path jar : jars.toList()) {
                Files.write(copies.resolve(jar.getFileName()), future(Files.readAllBytes(jar), prefix, method));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Unpacks a fat jar of Spring Boot into a folder with its classes and one with its libraries, copied like these. */
    static void ofFatJar(Path fatJar, Path classes, Path copies, String prefix, String method) {
        try (InputStream file = Files.newInputStream(fatJar);
                JarInputStream in = new JarInputStream(file)) {
            for (JarEntry entry = in.getNextJarEntry(); entry != null; entry = in.getNextJarEntry()) {
                String name = entry.getName();
                if (name.startsWith("BOOT-INF/lib/") && name.endsWith(".jar")) {
                    Path copy = copies.resolve(name.substring("BOOT-INF/lib/".length()));
                    Files.write(copy, future(in.readAllBytes(), prefix, method));
                } else if (name.startsWith("BOOT-INF/classes/") && !entry.isDirectory()) {
                    Path copy = classes.resolve(name.substring("BOOT-INF/classes/".length()));
                    Files.createDirectories(copy.resolveSibling("."));
                    Files.write(copy, in.readAllBytes());
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static byte[] future(byte[] jar, String prefix, String method) throws IOException {
        ByteArrayOutputStream copy = new ByteArrayOutputStream(jar.length);
        boolean renamed = false;
        Set<String> written = new HashSet<>();
        try (JarInputStream in = new JarInputStream(new ByteArrayInputStream(jar));
                JarOutputStream to = new JarOutputStream(copy)) {
            for (JarEntry entry = in.getNextJarEntry(); entry != null; entry = in.getNextJarEntry()) {
                String name = entry.getName();
                byte[] bytes = in.readAllBytes();
                if (name.startsWith(prefix) && name.endsWith(".class")) {
                    bytes = renamed(bytes, prefix, method);
                    renamed = true;
                } else if (name.startsWith("META-INF/maven/" + groupId(prefix)) && name.endsWith("pom.properties")) {
                    bytes = ("version=" + VERSION).getBytes(StandardCharsets.ISO_8859_1);
                }
                if (written.add(name)) {
                    to.putNextEntry(new JarEntry(name));
                    to.write(bytes);
                    to.closeEntry();
                }
            }
        }
        return renamed ? copy.toByteArray() : jar;
    }

    private static String groupId(String prefix) {
        return prefix.substring(0, prefix.length() - 1).replace('/', '.') + "/";
    }

    private static byte[] renamed(byte[] classFile, String prefix, String method) {
        int parameters = method.indexOf('(');
        String name = method.substring(0, parameters);
        String descriptor = method.substring(parameters);
        ClassWriter writer = new ClassWriter(0);
        Remapper renaming = new Remapper(OpenedClassReader.ASM_API) {
            @Override
            public String mapMethodName(String owner, String called, String itsDescriptor) {
                boolean isIt = owner.startsWith(prefix) && called.equals(name) && itsDescriptor.equals(descriptor);
                return isIt ? called + "Anew" : called;
            }
        };
        new ClassReader(classFile).accept(new ClassRemapper(writer, renaming), 0);
        return writer.toByteArray();
    }
}
