package io.tokenbudget.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Class files as bytes. */
public final class ClassFiles {
    private ClassFiles() {}

    /** The class file that {@code type} was loaded from. */
    public static byte[] of(Class<?> type) throws IOException {
        String resource = "/" + type.getName().replace('.', '/') + ".class";
        try (InputStream in = type.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException(resource);
            }
            return in.readAllBytes();
        }
    }

    /** All class files in the package of {@code member} and in the folder that it was compiled to. */
    public static List<byte[]> inPackageOf(Class<?> member) throws IOException, URISyntaxException {
        Path root = Path.of(
                member.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path folder = root.resolve(member.getPackageName().replace('.', '/'));
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .map(ClassFiles::read)
                    .toList();
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
