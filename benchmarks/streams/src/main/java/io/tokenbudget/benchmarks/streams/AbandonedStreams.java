package io.tokenbudget.benchmarks.streams;

import java.util.Locale;

/**
 * Heap of streams that were opened and never ended: {@code AbandonedStreams FRAMEWORK STREAMS SECONDS}, where the seconds are
 * longer than the configuration's {@code hold} and {@code remember}. Prints the heap in use after a collection: before, with
 * all of them open, and after their holds have expired, three times over; and the threads that were not there before.
 */
public final class AbandonedStreams {
    private static final int ROUNDS = 3;
    private static final double MEGABYTE = 1_000_000;

    private AbandonedStreams() {}

    /** Measures and prints. */
    public static void main(String[] args) throws InterruptedException {
        Framework framework = Framework.valueOf(args[0]);
        int streams = Integer.parseInt(args[1]);
        long wait = Long.parseLong(args[2]) * 1000;
        framework.stream(3, true);
        int threads = Thread.activeCount();
        print("before", used());
        for (int round = 0; round < ROUNDS; round++) {
            abandon(framework, streams);
            print("with " + streams + " streams open", used());
            Thread.sleep(wait);
            framework.stream(3, true);
            print("after they have expired", used());
        }
        System.out.println("threads more than before: " + (Thread.activeCount() - threads));
    }

    private static void abandon(Framework framework, int streams) {
        for (int i = 0; i < streams; i++) {
            framework.stream(3, false);
        }
    }

    private static long used() throws InterruptedException {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(50);
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static void print(String when, long bytes) {
        System.out.printf(Locale.ROOT, "%-40s %8.2f MB%n", when, bytes / MEGABYTE);
    }
}
