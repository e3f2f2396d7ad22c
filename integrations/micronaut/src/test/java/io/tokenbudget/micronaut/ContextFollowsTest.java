package io.tokenbudget.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.TaskScheduler;
import io.micronaut.scheduling.annotation.Async;
import io.tokenbudget.BudgetContext;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.testkit.annotation.Model;
import io.tokenbudget.testkit.inprocess.Snapshots;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@DisplayName(
        "C10 in Micronaut: a run and its caller follow its executors, @Async, its scheduler and Reactor's schedulers")
class ContextFollowsTest {
    private final ApplicationContext context = ApplicationContext.builder()
            .singletons(TokenLimiters.builder().yaml("""
                            identity: {agent: ["literal:nobody"], tenant: ["literal:nobody"]}
                            budgets:
                              - {scope: agent, limits: ["1M tokens per 1h"]}
                              - {scope: tenant, limits: ["1M tokens per 1h"]}
                            """).build())
            .start();

    @AfterEach
    void stop() {
        context.close();
    }

    /** How a method lets its model be asked on another thread. */
    @SuppressWarnings("ImmutableEnumChecker") // lambdas that keep nothing
    enum Way {
        ASYNC(elsewhere -> elsewhere.async.answer()),
        IO(elsewhere -> CompletableFuture.supplyAsync(elsewhere.model::ask, elsewhere.io)),
        BLOCKING(elsewhere -> CompletableFuture.supplyAsync(elsewhere.model::ask, elsewhere.blocking)),
        SUBMITTED(elsewhere -> done(elsewhere.io.submit((Callable<String>) elsewhere.model::ask)::get)),
        ALL(elsewhere -> done(() -> elsewhere
                .io
                .invokeAll(List.of((Callable<String>) elsewhere.model::ask))
                .get(0)
                .get())),
        SCHEDULED(elsewhere ->
                done(elsewhere.scheduler.schedule(Duration.ZERO, (Callable<String>) elsewhere.model::ask)::get)),
        SUBSCRIBED_ON(elsewhere -> Mono.fromCallable(elsewhere.model::ask)
                .subscribeOn(Schedulers.boundedElastic())
                .toFuture()),
        PUBLISHED_ON(elsewhere -> Flux.just(1)
                .publishOn(Schedulers.parallel())
                .map(one -> elsewhere.model.ask())
                .next()
                .toFuture());

        private final Function<Elsewhere, CompletableFuture<String>> how;

        Way(Function<Elsewhere, CompletableFuture<String>> how) {
            this.how = how;
        }

        private static CompletableFuture<String> done(Callable<String> answer) {
            try {
                return CompletableFuture.completedFuture(answer.call());
            } catch (Exception thrown) {
                return CompletableFuture.failedFuture(thrown);
            }
        }
    }

    @Singleton
    static class Asynchronous {
        private final Model model;

        Asynchronous(Model model) {
            this.model = model;
        }

        @Async
        CompletableFuture<String> answer() {
            return CompletableFuture.completedFuture(model.ask());
        }

        @Async
        @TokenBudget(agent = "both", maxTokens = 100)
        CompletableFuture<String> both() {
            return CompletableFuture.completedFuture(model.ask() + model.ask());
        }
    }

    @Singleton
    static class Elsewhere {
        private final Model model;
        private final Asynchronous async;
        private final ExecutorService io;
        private final ExecutorService blocking;
        private final TaskScheduler scheduler;

        Elsewhere(
                Model model,
                Asynchronous async,
                @Named(TaskExecutors.IO) ExecutorService io,
                @Named(TaskExecutors.BLOCKING) ExecutorService blocking,
                @Named(TaskExecutors.SCHEDULED) TaskScheduler scheduler) {
            this.model = model;
            this.async = async;
            this.io = io;
            this.blocking = blocking;
            this.scheduler = scheduler;
        }

        @TokenBudget(agent = "elsewhere", maxTokens = 200)
        String blocking(Way way) {
            return way.how.apply(this).join() + way.how.apply(this).join();
        }

        @TokenBudget(agent = "elsewhere", maxTokens = 100)
        CompletableFuture<String> later(Way way) {
            return way.how.apply(this).thenCompose(first -> way.how.apply(this));
        }
    }

    private Elsewhere elsewhere() {
        return context.getBean(Elsewhere.class);
    }

    private long used(String scope) {
        return Snapshots.of(context.getBean(Metering.class).report()).used(scope, "tokens");
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void whatAMethodHandsElsewhereIsInItsRun(Way way) {
        try (TokenBudgets.Scope open =
                TokenBudgets.open(BudgetContext.builder().tenant("acme").build())) {
            assertThat(open).isNotNull();
            String unused = elsewhere().blocking(way);
        }
        assertThat(used("agent:elsewhere")).isEqualTo(200);
        assertThat(used("tenant:acme")).isEqualTo(200);
        assertThat(used("agent:nobody")).isZero();
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void theCeilingOfARunHoldsElsewhereToo(Way way) {
        assertThat(catchThrowable(() -> {
                    String unused =
                            elsewhere().blocking(way) + elsewhere().later(way).join();
                }))
                .isNotNull();
        assertThat(used("agent:elsewhere")).isEqualTo(300);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    @DisplayName("A pool's threads serve others next: nothing of a run stays on them")
    void nothingStaysOnAPoolsThreads(Way way) {
        String unused = elsewhere().blocking(way);
        String unusedOutside = way.how.apply(elsewhere()).join();
        assertThat(used("agent:elsewhere")).isEqualTo(200);
        assertThat(used("agent:nobody")).isEqualTo(100);
    }

    @Test
    void anAsynchronousMethodIsItsOwnRun() {
        assertThat(catchThrowable(
                        () -> context.getBean(Asynchronous.class).both().join()))
                .hasRootCauseInstanceOf(io.tokenbudget.LimitExceededException.class);
        assertThat(used("agent:both")).isEqualTo(100);
    }

    @Test
    void executorsThatAreNoBeansOfMicronautsAreLeftAlone() {
        ExecutorService own = Executors.newSingleThreadExecutor();
        try (ApplicationContext other =
                ApplicationContext.builder().singletons(own).start()) {
            assertThat(other.getBean(own.getClass())).isSameAs(own);
            assertThat(Stream.of(TaskExecutors.IO, TaskExecutors.SCHEDULED)
                            .map(name -> other.getBean(ExecutorService.class, Qualifiers.byName(name))))
                    .allSatisfy(executor -> assertThat(executor.isShutdown()).isFalse());
        } finally {
            own.shutdown();
        }
    }
}
