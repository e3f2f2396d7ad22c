package io.tokenbudget.benchmarks.streams;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Processor time of one thread for a chunk of a streamed answer, from a model that answers at once to an application that
 * does nothing: {@code ChunkCost AGENT CONFIGURATION} runs each framework without the agent and with it, and prints both and
 * what the agent adds.
 */
public final class ChunkCost {
    private static final int CHUNKS = 1_000;
    private static final int STREAMS = 300;
    private static final int ROUNDS = 15;

    private ChunkCost() {}

    /** Measures and prints; with one argument, in this JVM, for the parent's eyes. */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length == 1) {
            System.out.println(nanoseconds(Framework.valueOf(args[0])));
            return;
        }
        System.out.println("nanoseconds of processor a chunk, median of " + ROUNDS);
        for (Framework framework : Framework.values()) {
            double without = measured(framework, List.of());
            double with = measured(framework, List.of("-javaagent:" + args[0] + "=config=" + args[1]));
            System.out.printf(
                    Locale.ROOT,
                    "%-12s %7.0f without the agent %7.0f with it %7.0f added%n",
                    framework,
                    without,
                    with,
                    with - without);
        }
    }

    private static double measured(Framework framework, List<String> options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(options);
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), ChunkCost.class.getName(), framework.name()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IllegalStateException(command + " ended with " + process.exitValue());
        }
        return Double.parseDouble(printed);
    }

    private static double nanoseconds(Framework framework) {
        double[] rounds = new double[ROUNDS];
        for (int round = -ROUNDS; round < ROUNDS; round++) {
            long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            for (int stream = 0; stream < STREAMS; stream++) {
                framework.stream(CHUNKS, true);
            }
            long time = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin;
            if (round >= 0) {
                rounds[round] = (double) time / STREAMS / CHUNKS;
            }
        }
        if (Framework.seen == 0) {
            throw new IllegalStateException("nothing flowed");
        }
        Arrays.sort(rounds);
        return rounds[ROUNDS / 2];
    }
}
