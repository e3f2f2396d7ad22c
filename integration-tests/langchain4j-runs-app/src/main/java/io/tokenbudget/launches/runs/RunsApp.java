package io.tokenbudget.launches.runs;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs all scenarios but those that are named one after the other on one thread of a pool, each followed by a plain call of
 * the next user on the same thread, and says how each ended: {@code RunsApp http://127.0.0.1:8080/v1 sequence}.
 */
public final class RunsApp {
    private static final int PATIENCE_SECONDS = 60;

    private RunsApp() {}

    /** Runs the application. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Map<String, Scenario> scenarios = new LinkedHashMap<>();
        Services.addTo(scenarios);
        Retrieval.addTo(scenarios);
        Agents.addTo(scenarios);
        scenarios.keySet().removeAll(Set.of(args));
        ExecutorService pool = Executors.newSingleThreadExecutor();
        for (Map.Entry<String, Scenario> scenario : scenarios.entrySet()) {
            Models models = new Models(args[0], scenario.getKey());
            String end = outcome(pool, scenario.getValue(), models);
            String next = outcome(pool, ofNext -> ofNext.chat().chat("Hello"), new Models(args[0], "next"));
            System.out.println(scenario.getKey() + " -> " + end + " | " + next);
            if (end.equals("HANGS")) {
                pool.shutdownNow();
                pool = Executors.newSingleThreadExecutor();
            }
        }
        pool.shutdown();
        System.out.println("done");
        while (System.in.read() >= 0) {}
        System.exit(0);
    }

    private static String outcome(ExecutorService pool, Scenario scenario, Models models) throws InterruptedException {
        try {
            pool.submit(() -> scenario.run(models)).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return "answer";
        } catch (ExecutionException failed) {
            StringBuilder chain = new StringBuilder();
            for (Throwable cause = failed.getCause(); cause != null; cause = cause.getCause()) {
                chain.append(chain.length() == 0 ? "" : " < ")
                        .append(cause.getClass().getSimpleName());
            }
            return chain.toString();
        } catch (TimeoutException late) {
            return "HANGS";
        }
    }
}
