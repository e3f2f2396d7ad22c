package io.tokenbudget.launches;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A JDK to launch applications with.
 *
 * @param home its folder
 * @param version its feature version
 */
record Jdk(Path home, int version) {
    private static final int OLDEST = 17;

    /** The one that runs the tests, and the newest other one this machine has in the usual place. */
    static List<Jdk> all() {
        Jdk own = new Jdk(
                Path.of(System.getProperty("java.home")), Runtime.version().feature());
        List<Jdk> found = new ArrayList<>(List.of(own));
        others().filter(other -> other.version != own.version)
                .max(Comparator.comparingInt(Jdk::version))
                .ifPresent(found::add);
        return found;
    }

    private static Stream<Jdk> others() {
        File[] folders = new File("/usr/lib/jvm").listFiles();
        return Stream.of(folders == null ? new File[0] : folders)
                .map(File::toPath)
                .filter(home -> Files.isExecutable(home.resolve("bin/java")))
                .map(home -> new Jdk(home, version(home)))
                .filter(jdk -> jdk.version >= OLDEST);
    }

    private static int version(Path home) {
        Path release = home.resolve("release");
        if (!Files.isReadable(release)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(release)) {
            return lines.filter(line -> line.startsWith("JAVA_VERSION="))
                    .map(line -> line.replaceAll("JAVA_VERSION=\"(\\d+).*", "$1"))
                    .mapToInt(Integer::parseInt)
                    .findFirst()
                    .orElse(0);
        } catch (java.io.IOException unreadable) {
            throw new java.io.UncheckedIOException(unreadable);
        }
    }

    String java() {
        return home.resolve("bin/java").toString();
    }

    @Override
    public String toString() {
        return "JDK " + version;
    }
}
