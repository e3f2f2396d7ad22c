package io.tokenbudget.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.context.ContextSnapshotFactory;
import io.tokenbudget.BudgetContext;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.Usage;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.ModelCall;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.core.metering.Run;
import io.tokenbudget.core.metering.RunScope;
import io.tokenbudget.core.metering.RunTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/** Each way is tried with a context of application code, with what a request said, and with the run of an annotated method. */
@SuppressWarnings("try") // what is open is not looked at
@DisplayName("C10 context flows: where it goes by itself, and where it cannot go")
class ContextFlowTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ExecutorService POOL = Executors.newFixedThreadPool(2);
    private static final ContextSnapshotFactory SNAPSHOTS =
            ContextSnapshotFactory.builder().build();

    private final List<String> notices = new ArrayList<>();
    private final Metering metering =
            new Metering(TokenLimiters.builder().yaml("""
                            identity: {tenant: ["header:X-Tenant", "literal:nobody"]}
                            budgets:
                              - {scope: tenant, limits: ["1M tokens per 1h"]}
                            """).build(), notices::add);
    private final CallMeter meter = metering.meter(CallerSource.of(null), RefusalFactory.OWN);

    /** How work is handed to another thread; the second runs there. */
    private record Way(String name, BiConsumer<ContextFlowTest, Runnable> hand) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** Who calls. */
    private enum Caller {
        CONTEXT {
            @Override
            void call(ContextFlowTest test, Runnable work) {
                try (TokenBudgets.Scope open =
                        TokenBudgets.open(BudgetContext.builder().tenant("acme").build())) {
                    work.run();
                }
            }
        },
        REQUEST {
            @Override
            void call(ContextFlowTest test, Runnable work) {
                try (TokenBudgets.Scope open = TokenBudgets.open(test.meter.request(source -> "acme"))) {
                    work.run();
                }
            }
        },
        ANNOTATED {
            @Override
            void call(ContextFlowTest test, Runnable work) {
                Run run = test.meter.begin(
                        RunTerms.of(BudgetContext.builder().tenant("acme").build()));
                try (RunScope scope = test.meter.show(run)) {
                    work.run();
                }
            }
        };

        abstract void call(ContextFlowTest test, Runnable work);
    }

    static Stream<Arguments> waysThatTakeItAlong() {
        return each(
                new Way("TokenBudgets.wrap(Runnable)", (test, work) -> await(POOL, TokenBudgets.wrap(work))),
                new Way("TokenBudgets.wrap(Executor)", (test, work) -> await(TokenBudgets.wrap((Executor) POOL), work)),
                new Way(
                        "CompletableFuture on a wrapped executor",
                        (test, work) -> CompletableFuture.runAsync(work, TokenBudgets.wrap((Executor) POOL))
                                .join()),
                new Way("virtual threads", (test, work) -> await(TokenBudgets.wrap(virtualThreads()), work)),
                new Way(
                        "ContextSnapshot.wrap",
                        (test, work) -> await(POOL, SNAPSHOTS.captureAll().wrap(work))),
                new Way(
                        "ContextExecutorService",
                        (test, work) -> await(SNAPSHOTS.captureAll().wrapExecutor(POOL), work)),
                new Way("Reactor: subscribeOn", (test, work) -> {
                    ReactorSchedulers.follow(test.meter);
                    Mono.fromRunnable(work)
                            .subscribeOn(Schedulers.boundedElastic())
                            .block(PATIENCE);
                }),
                new Way("Reactor: publishOn", (test, work) -> {
                    ReactorSchedulers.follow(test.meter);
                    Mono.just(1)
                            .publishOn(Schedulers.parallel())
                            .doOnNext(one -> work.run())
                            .block(PATIENCE);
                }),
                new Way("Reactor: parallel rails", (test, work) -> {
                    ReactorSchedulers.follow(test.meter);
                    Flux.just(1)
                            .parallel(2)
                            .runOn(Schedulers.parallel())
                            .doOnNext(one -> work.run())
                            .sequential()
                            .blockLast(PATIENCE);
                }),
                new Way("Reactor: automatic propagation", (test, work) -> {
                    Hooks.enableAutomaticContextPropagation();
                    Mono.just(1)
                            .publishOn(Schedulers.parallel())
                            .doOnNext(one -> work.run())
                            .contextCapture()
                            .block(PATIENCE);
                }),
                new Way("Reactor: automatic propagation of what is carried", (test, work) -> {
                    Hooks.enableAutomaticContextPropagation();
                    Context carried = Context.of(BudgetContext.KEY, TokenBudgets.current());
                    TokenBudgets.carry(BudgetContext.EMPTY);
                    Mono.fromRunnable(work)
                            .subscribeOn(Schedulers.boundedElastic())
                            .contextWrite(carried)
                            .block(PATIENCE);
                }));
    }

    static Stream<Arguments> waysThatLoseIt() {
        return each(
                new Way("a plain executor", (test, work) -> await(POOL, work)),
                new Way("a new thread", (test, work) -> join(new Thread(work))),
                new Way(
                        "CompletableFuture's own pool",
                        (test, work) -> CompletableFuture.runAsync(work).join()),
                new Way(
                        "Reactor without the hook",
                        (test, work) -> Mono.fromRunnable(work)
                                .subscribeOn(Schedulers.boundedElastic())
                                .block(PATIENCE)),
                new Way("blocking code where Reactor alone carries it", (test, work) -> {
                    ReactorSchedulers.follow(test.meter);
                    Context carried = Context.of(BudgetContext.KEY, TokenBudgets.current());
                    await(
                            POOL,
                            () -> Mono.fromRunnable(work)
                                    .subscribeOn(Schedulers.boundedElastic())
                                    .contextWrite(carried)
                                    .block(PATIENCE));
                }));
    }

    private static Stream<Arguments> each(Way... ways) {
        return Stream.of(ways).flatMap(way -> Stream.of(Caller.values()).map(caller -> Arguments.of(way, caller)));
    }

    /** Of a JDK that has them. */
    private static Executor virtualThreads() {
        try {
            return (Executor)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException before21) {
            return work -> new Thread(work).start();
        }
    }

    private static void await(Executor executor, Runnable work) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        executor.execute(() -> {
            try {
                work.run();
                done.complete(null);
            } catch (Throwable thrown) {
                done.completeExceptionally(thrown);
            }
        });
        done.join();
    }

    private static void join(Thread thread) {
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @AfterEach
    void leave() {
        ReactorSchedulers.leave(meter);
        Hooks.disableAutomaticContextPropagation();
        TokenBudgets.carry(BudgetContext.EMPTY);
    }

    @AfterAll
    static void stop() {
        POOL.shutdown();
    }

    private void callModel() {
        Frame frame = meter.open(new Object(), () -> ModelCall.of("gpt", 10, 1));
        frame.succeed(Usage.of(10, 1), 0, null);
    }

    private List<String> charged() {
        assertThat(notices).isEmpty();
        return metering.report().budgets().stream()
                .filter(status -> status.used() > 0)
                .map(BudgetStatus::scope)
                .toList();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("waysThatTakeItAlong")
    void goesAlong(Way way, Caller caller) {
        caller.call(this, () -> way.hand().accept(this, this::callModel));

        assertThat(charged()).containsExactly("tenant:acme");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("waysThatLoseIt")
    void cannotGoAlongAndIsChargedToWhomTheConfigurationSays(Way way, Caller caller) {
        caller.call(this, () -> way.hand().accept(this, this::callModel));

        assertThat(charged()).containsExactly("tenant:nobody");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("waysThatTakeItAlong")
    void nothingOfItIsLeftOnTheThreadsThatHaveWorkedForIt(Way way, Caller caller) {
        List<Thread> workers = new ArrayList<>();
        caller.call(this, () -> way.hand().accept(this, () -> workers.add(Thread.currentThread())));
        for (int i = 0; i < 2; i++) {
            await(POOL, () -> assertThat(TokenBudgets.current()).isSameAs(BudgetContext.EMPTY));
            await(POOL, this::callModel);
        }
        ReactorSchedulers.leave(meter);
        Hooks.disableAutomaticContextPropagation();
        Flux.range(0, 8)
                .flatMap(i -> Mono.fromRunnable(
                                () -> assertThat(TokenBudgets.current()).isSameAs(BudgetContext.EMPTY))
                        .subscribeOn(i % 2 == 0 ? Schedulers.parallel() : Schedulers.boundedElastic()))
                .blockLast(PATIENCE);

        assertThat(workers).hasSize(1);
        assertThat(charged()).containsExactly("tenant:nobody");
    }

    @Test
    void twoTenantsOnOnePoolNeverMeet() {
        ReactorSchedulers.follow(meter);
        List<Mono<?>> calls = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String tenant = "t" + i % 20;
            calls.add(Mono.defer(() -> {
                Run run = meter.begin(
                        RunTerms.of(BudgetContext.builder().tenant(tenant).build()));
                try (RunScope scope = meter.show(run)) {
                    return Mono.fromFuture(CompletableFuture.supplyAsync(
                            () -> {
                                assertThat(TokenBudgets.current().tenant()).isEqualTo(tenant);
                                callModel();
                                return tenant;
                            },
                            TokenBudgets.wrap((Executor) POOL)));
                }
            }));
        }
        Flux.merge(calls).blockLast(PATIENCE);

        assertThat(metering.report().budgets())
                .filteredOn(status -> status.used() > 0)
                .hasSize(20)
                .allSatisfy(status -> assertThat(status.used()).isEqualTo(110));
    }
}
