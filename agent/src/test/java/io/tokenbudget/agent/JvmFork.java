package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs an application of {@code org.example} in a JVM of its own, whose class path has nothing of this project. */
final class JvmFork {
    static final String AGENT_JAR = System.getProperty("agent.jar", "target/token-budget-agent.jar");

    /** The test class path's framework entries, and the applications. */
    private static final String CLASS_PATH = Stream.of(
                    System.getProperty("java.class.path", "").split(File.pathSeparator, -1))
            .filter(entry -> entry.endsWith("test-classes") || isOfTheApplication(entry))
            .collect(Collectors.joining(File.pathSeparator));

    private static final int PATIENCE_SECONDS = 180;

    private final List<String> jvmOptions = new ArrayList<>();
    private String classPath = CLASS_PATH;

    /** What came out of it. */
    record Result(int exit, List<String> out, List<String> err) {}

    private static boolean isOfTheApplication(String entry) {
        return entry.endsWith(".jar")
                && !entry.contains("token-budget")
                && !entry.contains("byte-buddy")
                && !entry.contains("picocli")
                && !entry.contains("snakeyaml")
                && !entry.contains("jackson-jr")
                && !entry.contains("junit")
                && !entry.contains("assertj");
    }

    JvmFork jvmOption(String option) {
        jvmOptions.add(option);
        return this;
    }

    /** Attaches the agent; the options may be empty. */
    JvmFork agent(String options) {
        return jvmOption("-javaagent:" + AGENT_JAR + (options.isEmpty() ? "" : "=" + options));
    }

    JvmFork classPathEntry(Path entry) {
        classPath += File.pathSeparator + entry;
        return this;
    }

    /** Its output is a pipe to read from, its errors go to {@code err}. */
    Process start(Class<?> main, Path err, String... arguments) throws IOException {
        return builder(main, arguments).redirectError(err.toFile()).start();
    }

    private ProcessBuilder builder(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment()
                .keySet()
                .removeIf(name -> name.startsWith("TOKEN_BUDGET") || name.startsWith("JAVA_TOOL"));
        return builder;
    }

    Result run(Class<?> main, String... arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile("fork", ".out");
        Path err = Files.createTempFile("fork", ".err");
        try {
            Process process = builder(main, arguments)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("ends in time")
                    .isTrue();
            return new Result(process.exitValue(), lines(out), lines(err));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    static List<String> lines(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.startsWith("SLF4J")) // the application's own
                .toList();
    }
}
