package io.tokenbudget.launches;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One JVM under test: its command, and what it wrote. Closing ends it whatever it does. */
final class Launch implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 180;

    private final Process process;
    private final Path out;
    private final Path err;

    private Launch(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts {@code jdk}'s java with these arguments; output goes to files in {@code folder}. */
    static Launch of(Jdk jdk, Path folder, Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(List.of(jdk.java()));
        command.addAll(Arrays.asList(arguments));
        Path out = folder.resolve("out.txt");
        Path err = folder.resolve("err.txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment()
                .keySet()
                .removeIf(name -> name.startsWith("TOKEN_BUDGET") || name.equals("JAVA_TOOL_OPTIONS"));
        builder.environment().putAll(environment);
        try {
            return new Launch(builder.start(), out, err);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Waits until the application has written {@code line}, and fails with all it wrote if it ends before. */
    Launch awaitLine(String line) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!hasWritten(line)) {
            boolean ended = !process.isAlive() && !hasWritten(line);
            if (ended || System.nanoTime() > deadline) {
                throw new AssertionError("\"" + line + "\" never came.\n" + transcript());
            }
            Thread.onSpinWait();
            try {
                process.waitFor(50, TimeUnit.MILLISECONDS);
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        }
        return this;
    }

    private boolean hasWritten(String line) {
        return out().contains(line) || err().contains(line);
    }

    /** Ends the application's input, waits for its end and expects success. */
    Launch end() {
        try {
            process.getOutputStream().close();
            boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(ended).as("ended in time\n%s", transcript()).isTrue();
        } catch (IOException | InterruptedException failed) {
            throw new AssertionError(failed);
        }
        assertThat(process.exitValue()).as(transcript()).isZero();
        return this;
    }

    /** Expects nothing on standard error but {@code most} lines of the agent. */
    Launch hasOnStandardErrorAtMost(int most) {
        List<String> lines = err().lines().toList();
        assertThat(lines).as(transcript()).allSatisfy(line -> assertThat(line).startsWith("[token-budget] "));
        assertThat(lines).as(transcript()).hasSizeLessThanOrEqualTo(most);
        return this;
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    String transcript() {
        return "--- standard output\n" + out() + "\n--- standard error\n" + err();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
