package io.tokenbudget.benchmarks;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.Reservation;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.Metering;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * How long a reserve and a refund take while the report of {@code GET /budgets} is made again and again, by none, one and four
 * threads: {@code java -cp ledger-benchmarks.jar io.tokenbudget.benchmarks.CallsBesideReports 100000}.
 */
public final class CallsBesideReports {
    private static final int CALLS = 10_000;
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private CallsBesideReports() {}

    /** @param args how many budgets there are */
    public static void main(String[] args) throws InterruptedException {
        int budgets = args.length == 0 ? 100_000 : Integer.parseInt(args[0]);
        DefaultTokenLimiter limiter = TokenLimiters.builder()
                .yaml("budgets: [{scope: tenant, limits: [\"1M tokens per 1d\", \"100k requests per 1d\"]}]")
                .build();
        Metering metering = new Metering(limiter, System.err::println);
        for (int i = 0; i < budgets; i++) {
            limiter.settle(limiter.reserve(requestOf("tenant-" + i)).id(), 20);
        }
        System.out.println("| threads that report | reports | median | 99 % | longest |");
        for (int reporters : new int[] {0, 1, 4}) {
            measure(limiter, metering, reporters);
        }
    }

    private static void measure(DefaultTokenLimiter limiter, Metering metering, int reporters)
            throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        int[] reports = new int[reporters];
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < reporters; i++) {
            int own = i;
            Thread thread = new Thread(() -> {
                while (!over.get()) {
                    reports[own] += metering.report().budgets().isEmpty() ? 0 : 1;
                }
            });
            thread.start();
            threads.add(thread);
        }
        long[] nanos = new long[CALLS];
        for (int i = 0; i < CALLS; i++) {
            long before = System.nanoTime();
            Reservation reservation = limiter.reserve(requestOf("tenant-1"));
            limiter.refund(reservation.id());
            nanos[i] = System.nanoTime() - before;
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        over.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        Arrays.sort(nanos);
        System.out.printf(
                "| %d | %d | %.4f ms | %.2f ms | %.1f ms |%n",
                reporters,
                Arrays.stream(reports).sum(),
                nanos[CALLS / 2] / 1e6,
                nanos[CALLS * 99 / 100] / 1e6,
                nanos[CALLS - 1] / 1e6);
    }

    private static ReservationRequest requestOf(String tenant) {
        return ReservationRequest.builder()
                .context(BudgetContext.builder().tenant(tenant).build())
                .inputTokens(10)
                .outputTokens(10)
                .build();
    }
}
