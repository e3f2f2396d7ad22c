package io.tokenbudget.testkit.annotation;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.Usage;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The application that {@link AnnotationSuite} drives: methods with {@code @TokenBudget} of every shape. */
@SuppressWarnings("MissingSummary")
public interface Planner {
    /** What {@link #limited} may do in an hour. */
    int LIMITED_REQUESTS = 2;

    /** What {@link #held} and its like hold up front. Their agents may use 400 in an hour. */
    long HELD = 300;

    String named(String tenant);

    @TokenBudget(agent = "contract", tenant = "{0.tenantId}", user = "{0.labels.user}")
    String contract(Order order);

    @TokenBudget(agent = "by-default")
    default String byDefault() {
        return ofType();
    }

    String ofType();

    void nothing();

    long primitive(int times, double unused);

    String bounded(int times);

    /** A ceiling of $0.30 for each run, which three calls use up. */
    String costly(int times);

    String around(int before, int inside, int after);

    String aroundRenamed(String name, int inside);

    long answered(int times);

    CompletionStage<String> stage(Executor executor, int times);

    Mono<String> mono(String tenant, int times);

    Flux<String> flux(int times);

    String limited(String tool);

    String keyed(String key, int times);

    String throwing(RuntimeException thrown);

    /** Holds {@link #HELD} tokens up front, and runs {@code during} after so many calls. */
    String held(int times, Runnable during);

    CompletionStage<String> heldStage(Executor executor, int times);

    Flux<String> heldFlux(int times);

    Mono<String> heldMono(int times);

    /** What has been used, as something that only looks at it; the class says that it is budgeted. */
    Usage total();

    /** Says that it has used so many tokens, half of them input, by itself and by so many calls. */
    Usage spent(long tokens, int times);

    /** The run's name and agent, as the application sees them. */
    String shown();

    long answeredInstead(int times, LimitExceededException refused);
}
