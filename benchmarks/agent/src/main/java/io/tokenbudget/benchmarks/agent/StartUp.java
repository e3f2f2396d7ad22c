package io.tokenbudget.benchmarks.agent;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * Wall time of whole JVMs, without an agent, with an empty one, with ours, and with others:
 * {@code StartUp RUNS OUR-AGENT CONFIGURATION [OTHER-AGENT...]}. The contenders take turns; medians are printed.
 */
public final class StartUp {
    private StartUp() {}

    /** Measures and prints. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int runs = Integer.parseInt(args[0]);
        Map<String, List<String>> agents = new LinkedHashMap<>();
        agents.put("no agent", List.of());
        agents.put("empty agent", List.of("-javaagent:" + emptyAgent()));
        agents.put("token-budget-agent", List.of("-javaagent:" + args[1] + "=config=" + args[2]));
        for (String other : Arrays.asList(args).subList(3, args.length)) {
            agents.put(Path.of(other).getFileName().toString(), List.of("-javaagent:" + other));
        }
        for (Class<?> application : List.of(HelloApp.class, ChatApp.class)) {
            Map<String, List<Long>> millis = new LinkedHashMap<>();
            for (int run = 0; run <= runs; run++) {
                for (Map.Entry<String, List<String>> agent : agents.entrySet()) {
                    long time = time(agent.getValue(), application.getName());
                    if (run > 0) {
                        millis.computeIfAbsent(agent.getKey(), name -> new ArrayList<>())
                                .add(time);
                    }
                }
            }
            System.out.println(application.getSimpleName() + ", median of " + runs + ", milliseconds");
            millis.forEach((agent, times) -> {
                times.sort(null);
                System.out.printf("  %-32s %6d%n", agent, times.get(times.size() / 2));
            });
        }
    }

    private static long time(List<String> options, String application) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), application));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("OTEL_TRACES_EXPORTER", "none");
        builder.environment().put("OTEL_METRICS_EXPORTER", "none");
        builder.environment().put("OTEL_LOGS_EXPORTER", "none");
        long start = System.nanoTime();
        int exit = builder.start().waitFor();
        if (exit != 0) {
            throw new IllegalStateException(command + " ended with " + exit);
        }
        return (System.nanoTime() - start) / 1_000_000;
    }

    private static Path emptyAgent() {
        String entry = EmptyAgent.class.getName().replace('.', '/') + ".class";
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", EmptyAgent.class.getName());
        try {
            Path jar = Files.createTempFile("empty-agent", ".jar");
            jar.toFile().deleteOnExit();
            try (OutputStream file = Files.newOutputStream(jar);
                    JarOutputStream out = new JarOutputStream(file, manifest);
                    InputStream in = EmptyAgent.class.getResourceAsStream("/" + entry)) {
                out.putNextEntry(new JarEntry(entry));
                if (in == null) {
                    throw new IllegalStateException(entry + " is missing");
                }
                in.transferTo(out);
            }
            return jar;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
