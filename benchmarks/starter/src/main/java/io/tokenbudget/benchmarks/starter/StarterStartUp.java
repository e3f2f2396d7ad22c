package io.tokenbudget.benchmarks.starter;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Wall time of a whole JVM in which a Spring Boot service starts and leaves, without the starter, with it, and with budgets:
 * {@code StarterStartUp RUNS}. The contenders take turns; medians are printed.
 */
public final class StarterStartUp {
    private static final List<String> SERVICE = List.of(
            "--server.port=0",
            "--spring.main.banner-mode=off",
            "--logging.level.root=warn",
            "--spring.ai.openai.api-key=none",
            "--spring.ai.openai.base-url=http://localhost:1");

    private static final List<String> BUDGETS = List.of(
            "--token-budget.identity.tenant[0]=header:X-Tenant-Id",
            "--token-budget.budgets[0].scope=tenant",
            "--token-budget.budgets[0].limits[0]=1M tokens per 1h",
            "--token-budget.budgets[1].scope=global",
            "--token-budget.budgets[1].limits[0]=10M tokens per 1h");

    private StarterStartUp() {}

    private record Contender(String name, String classPath, List<String> arguments) {}

    /** Measures and prints. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int runs = Integer.parseInt(args[0]);
        String all = classPath(jar -> true);
        List<Contender> contenders = List.of(
                new Contender(
                        "without the starter",
                        classPath(jar -> !jar.startsWith("token-budget-") && !jar.startsWith("aspectjweaver")),
                        List.of()),
                new Contender("with it, no budgets", all, List.of()),
                new Contender("with it and two budgets", all, BUDGETS));
        Map<String, List<Long>> millis = new LinkedHashMap<>();
        for (int run = 0; run <= runs; run++) {
            for (Contender contender : contenders) {
                long time = time(contender);
                if (run > 0) {
                    millis.computeIfAbsent(contender.name(), name -> new ArrayList<>())
                            .add(time);
                }
            }
        }
        System.out.println("median and range of " + runs + ", milliseconds");
        millis.forEach((name, times) -> {
            times.sort(null);
            System.out.printf("  %-26s %6d %6d..%d%n", name, times.get(runs / 2), times.get(0), times.get(runs - 1));
        });
    }

    private static String classPath(Predicate<String> wanted) {
        return String.join(
                File.pathSeparator,
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                        .filter(entry -> wanted.test(new File(entry).getName()))
                        .toList());
    }

    private static long time(Contender contender) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-cp",
                contender.classPath(),
                ServiceApp.class.getName()));
        command.addAll(SERVICE);
        command.addAll(contender.arguments());
        long start = System.nanoTime();
        int exit = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IllegalStateException(contender.name() + " ended with " + exit);
        }
        return (System.nanoTime() - start) / 1_000_000;
    }
}
