package io.tokenbudget.benchmarks;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Reserve on the budgets of an agent and of its tenant, then settle with less: pairs a second.
 *
 * <p>{@code hot} is one agent of one tenant for all threads, {@code many} is 10,000 agents of 1,000 tenants. The limits
 * are never reached. Ours remembers 100,000 ended reservations; the peers keep none.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms2g", "-Xmx2g"})
@State(Scope.Benchmark)
public class LedgerBenchmark {
    private static final int AGENTS = 10_000;
    private static final int TENANTS = 1_000;

    /** Who keeps the budgets. */
    @Param({"ours", "bucket4jSynchronized", "bucket4jLockFree", "floor"})
    public Contender.Kind contender = Contender.Kind.ours;

    /** Which agents call. */
    @Param({"hot", "many"})
    public String load = "hot";

    private final String[] agents = new String[AGENTS];
    private final String[] tenants = new String[AGENTS];
    private Contender pairs = (agent, tenant) -> {};

    /** Names the agents, and fills what the contender keeps. */
    @Setup
    public void setUp() {
        String[] names = new String[TENANTS];
        for (int i = 0; i < TENANTS; i++) {
            names[i] = "tenant-" + i;
        }
        for (int i = 0; i < AGENTS; i++) {
            agents[i] = "agent-" + i;
            tenants[i] = names[i % TENANTS];
        }
        pairs = contender.create();
        for (int i = 0; i < 200_000; i++) {
            int agent = load.equals("hot") ? 0 : i % AGENTS;
            pairs.reserveAndSettle(agents[agent], tenants[agent]);
        }
    }

    /** One pair. */
    @Benchmark
    public void pair() {
        int agent = load.equals("hot") ? 0 : ThreadLocalRandom.current().nextInt(AGENTS);
        pairs.reserveAndSettle(agents[agent], tenants[agent]);
    }
}
