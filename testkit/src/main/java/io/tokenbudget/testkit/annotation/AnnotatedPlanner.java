package io.tokenbudget.testkit.annotation;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.Usage;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The planner whose methods an adapter has to see. Asks its model so often as it is told. */
@TokenBudget(agent = "of-type")
public class AnnotatedPlanner implements Planner {
    private final Model model;
    private final Searcher searcher;

    /**
     * @param model is asked
     * @param searcher is called by way of the adapter too
     */
    public AnnotatedPlanner(Model model, Searcher searcher) {
        this.model = model;
        this.searcher = searcher;
    }

    /** By itself: what the class says changes nothing for what calls it from inside. */
    private String ask(int times) {
        return Model.ask(model, times);
    }

    @Override
    @TokenBudget(agent = "named", tenant = "{tenant}")
    public String named(String tenant) {
        return ask(1);
    }

    @Override
    public String contract(Order order) {
        return ask(1);
    }

    @Override
    public String ofType() {
        return ask(1);
    }

    @Override
    @TokenBudget(agent = "nothing")
    public void nothing() {
        String unused = ask(1);
    }

    @Override
    @TokenBudget(agent = "primitive")
    public long primitive(int times, double unused) {
        String answer = ask(times);
        return answer.length();
    }

    @Override
    @TokenBudget(agent = "bounded", maxTokens = 300)
    public String bounded(int times) {
        return ask(times);
    }

    @Override
    @TokenBudget(agent = "costly", maxCost = "$0.30")
    public String costly(int times) {
        return ask(times);
    }

    @Override
    @TokenBudget(agent = "around", maxTokens = 300)
    public String around(int before, int inside, int after) {
        return ask(before) + searcher.search(inside) + ask(after);
    }

    @Override
    @TokenBudget(agent = "around-renamed", maxTokens = 300)
    public String aroundRenamed(String name, int inside) {
        return searcher.renamed(name, inside);
    }

    @Override
    @TokenBudget(agent = "answered", maxTokens = 100, fallback = "answeredInstead")
    public long answered(int times) {
        return ask(times).length();
    }

    @Override
    @TokenBudget(agent = "instead")
    public long answeredInstead(int times, LimitExceededException refused) {
        return refused.scope().startsWith("run:") ? -times : 0;
    }

    @Override
    @TokenBudget(agent = "stage", maxTokens = 100, fallback = "stageInstead")
    public CompletionStage<String> stage(Executor executor, int times) {
        return CompletableFuture.supplyAsync(() -> ask(times), TokenBudgets.wrap(executor));
    }

    /** In place of {@link #stage}. */
    public CompletionStage<String> stageInstead(Executor executor, int times) {
        return CompletableFuture.completedFuture("later");
    }

    @Override
    @TokenBudget(agent = "mono", tenant = "{tenant}", maxTokens = 100, fallback = "monoInstead")
    public Mono<String> mono(String tenant, int times) {
        return Mono.fromCallable(() -> ask(times));
    }

    /** In place of {@link #mono}. */
    public Mono<String> monoInstead(String tenant, int times) {
        return Mono.just("later");
    }

    @Override
    @TokenBudget(agent = "flux", maxTokens = 300)
    public Flux<String> flux(int times) {
        return Flux.range(0, times).map(i -> ask(1));
    }

    @Override
    @TokenBudget(
            tool = "{tool}",
            limits = {LIMITED_REQUESTS + " requests per 1h", "1M tokens per 1h"})
    public String limited(String tool) {
        return ask(1);
    }

    @Override
    @TokenBudget(agent = "keyed", idempotencyKey = "{key}", maxTokens = 300)
    public String keyed(String key, int times) {
        return ask(times);
    }

    @Override
    @TokenBudget(agent = "held", reserve = HELD)
    public String held(int times, Runnable during) {
        String answer = ask(times);
        during.run();
        return answer;
    }

    @Override
    @TokenBudget(agent = "held-stage", reserve = HELD, fallback = "stageInstead")
    public CompletionStage<String> heldStage(Executor executor, int times) {
        return CompletableFuture.supplyAsync(() -> ask(times), TokenBudgets.wrap(executor));
    }

    @Override
    @TokenBudget(agent = "held-flux", reserve = HELD)
    public Flux<String> heldFlux(int times) {
        return Flux.range(0, times).map(i -> ask(1));
    }

    @Override
    @TokenBudget(agent = "held-mono", reserve = HELD, fallback = "heldMonoInstead")
    public Mono<String> heldMono(int times) {
        return Mono.fromCallable(() -> ask(times));
    }

    /** In place of {@link #heldMono}. */
    public Mono<String> heldMonoInstead(int times) {
        return Mono.just("later");
    }

    @Override
    public Usage total() {
        return Usage.of(30, 70);
    }

    @Override
    @TokenBudget(agent = "spent", reserve = HELD)
    public Usage spent(long tokens, int times) {
        String unused = times == 0 ? ask(0) : searcher.search(times);
        return Usage.of(tokens / 2, tokens - tokens / 2);
    }

    @Override
    @TokenBudget(agent = "throwing")
    public String throwing(RuntimeException thrown) {
        String unused = ask(1);
        throw thrown;
    }

    @Override
    @TokenBudget(agent = "shown", tenant = "seen", runId = "visible")
    public String shown() {
        return TokenBudgets.current().agent() + " " + TokenBudgets.current().tenant() + " "
                + TokenBudgets.current().runId();
    }
}
