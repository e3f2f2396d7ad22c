package io.tokenbudget.core.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.Usage;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.config.IdentitySource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The common pool is told to have two workers, as a machine with more cores has them: where it has none, every asynchronous
 * task gets a thread of its own, and nobody helps.
 */
@Timeout(30) // with a mistake in it, the worker and its jobs wait for each other
@DisplayName("C1, C10: what a waiting worker of a pool runs in between is no part of the call it waits in")
class HelpingTest {
    private static final String YAML = """
            identity: {tenant: ["mdc:tenant"]}
            budgets:
              - scope: tenant
                limits: ["100k tokens per 1h"]
              - scope: run
                limits: ["150 tokens"]
            """;

    private static final ThreadLocal<@Nullable String> TENANT = new ThreadLocal<>();
    private final List<String> notices = new ArrayList<>();
    private final Metering metering =
            new Metering(TokenLimiters.builder().yaml(YAML).build(), notices::add);
    private final CallMeter meter = metering.meter(
            new CallerSource() {
                @Override
                public BudgetContext current() {
                    return TokenBudgets.current();
                }

                @Override
                public @Nullable String value(IdentitySource source) {
                    return TENANT.get();
                }
            },
            RefusalFactory.OWN);

    private final CompletableFuture<String> http = new CompletableFuture<>();
    private final CountDownLatch helped = new CountDownLatch(6);
    private final CountDownLatch otherWorkerMayGo = new CountDownLatch(1);
    private CompletableFuture<?> otherWorker = CompletableFuture.completedFuture("not begun");

    /** So that what the one worker hands in is run by itself or not at all. */
    @BeforeEach
    void keepTheOtherWorkerBusy() throws InterruptedException {
        assertThat(ForkJoinPool.getCommonPoolParallelism())
                .as("-Djava.util.concurrent.ForkJoinPool.common.parallelism")
                .isEqualTo(2);
        CountDownLatch busy = new CountDownLatch(1);
        otherWorker = CompletableFuture.runAsync(() -> {
            busy.countDown();
            await(otherWorkerMayGo);
        });
        busy.await();
    }

    @AfterEach
    void letTheOtherWorkerGo() {
        otherWorkerMayGo.countDown();
        otherWorker.join();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As a blocking model on the JDK's HTTP client: it waits for a future. */
    private void call(long output, CompletableFuture<String> answer) {
        Frame frame = meter.open(new Object(), () -> ModelCall.of("gpt", 50, 50));
        if (frame.refusal() != null) {
            frame.fail(Failure.REJECTED, 0, frame.refusal());
            throw frame.refusal();
        }
        answer.join();
        frame.succeed(Usage.of(50, output), 0, new Object());
    }

    private void asTenant(String name, Runnable work) {
        String before = TENANT.get();
        TENANT.set(name);
        try {
            work.run();
        } finally {
            TENANT.set(before);
        }
    }

    private CompletableFuture<?> jobOfGlobex(long output) {
        return CompletableFuture.runAsync(() -> asTenant("globex", () -> {
            assertThat(Helping.depth()).isPositive();
            Run run = meter.openRun();
            call(output, CompletableFuture.completedFuture("at once"));
            meter.closeRun(run);
            helped.countDown();
            if (helped.getCount() == 0) {
                http.complete("the answer");
            }
        }));
    }

    @Test
    void everyTenantIsChargedForItsOwnCallsAndHasRunsOfItsOwn() throws Exception {
        CompletableFuture<List<CompletableFuture<?>>> work = CompletableFuture.supplyAsync(() -> {
            List<CompletableFuture<?>> jobs = new ArrayList<>();
            asTenant("acme", () -> {
                Run run = meter.openRun();
                for (int job = 1; job <= 6; job++) {
                    jobs.add(jobOfGlobex(50L + job));
                }
                call(50, http);
                assertThat(meter.currentRun()).isSameAs(run);
                meter.closeRun(run);
            });
            assertThat(meter.current()).isNull();
            assertThat(meter.currentRun()).isNull();
            return jobs;
        });
        for (CompletableFuture<?> job : work.get()) {
            job.get();
        }

        assertThat(used("tenant:acme")).isEqualTo(100);
        assertThat(used("tenant:globex")).isEqualTo(6 * 100 + 21);
        assertThat(metering.report().calls().metered()).isEqualTo(7);
        assertThat(metering.report().budgets())
                .allSatisfy(status -> assertThat(status.held()).isZero());
        assertThat(notices).isEmpty();
    }

    @Test
    void whatAWorkerRunsForOthersIsNotInTheContextOfWhatItWaitsIn() throws Exception {
        BudgetContext acme = BudgetContext.builder().tenant("acme").agent("a").build();
        List<BudgetContext> seen = CompletableFuture.supplyAsync(() -> {
                    List<BudgetContext> contexts = new ArrayList<>();
                    CompletableFuture<?> job = CompletableFuture.runAsync(() -> {
                        assertThat(Helping.depth()).isPositive();
                        contexts.add(TokenBudgets.current());
                        TokenBudgets.Scope own = TokenBudgets.open(
                                BudgetContext.builder().tenant("globex").build());
                        contexts.add(TokenBudgets.current());
                        own.close();
                        contexts.add(TokenBudgets.current());
                        http.complete("the answer");
                    });
                    TokenBudgets.Scope scope = TokenBudgets.open(acme);
                    http.join();
                    contexts.add(TokenBudgets.current());
                    scope.close();
                    job.join();
                    contexts.add(TokenBudgets.current());
                    return contexts;
                })
                .get();

        assertThat(seen)
                .containsExactly(
                        BudgetContext.EMPTY,
                        BudgetContext.builder().tenant("globex").build(),
                        BudgetContext.EMPTY,
                        acme,
                        BudgetContext.EMPTY);
    }

    private long used(String scope) {
        return metering.report().budgets().stream()
                .filter(status -> status.scope().equals(scope))
                .mapToLong(BudgetStatus::used)
                .sum();
    }
}
