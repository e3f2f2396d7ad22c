package org.example;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.TokenBudgets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Has methods with {@code @TokenBudget} of every shape, each of which asks a model of 30 tokens, and says what came out. */
@SuppressWarnings({"unused", "UnusedMethod", "MissingSummary"})
public final class BudgetedApp {
    private static final EchoChatModel MODEL = new EchoChatModel();

    private BudgetedApp() {}

    static String ask() {
        return MODEL.chat("question") + " for " + TokenBudgets.current().agent();
    }

    record Order(String tenantId, Map<String, String> labels) {}

    interface Contract<T> {
        @TokenBudget(agent = "contract", tenant = "{0.tenantId}", user = "{0.labels.user}")
        String plan(Order order);

        @TokenBudget(agent = "generic")
        String generic(T subject);

        @TokenBudget(agent = "by-default")
        default String byDefault() {
            return ask();
        }
    }

    static class Contractor implements Contract<Integer> {
        @Override
        public String plan(Order order) {
            return ask();
        }

        @Override
        public String generic(Integer subject) {
            return ask();
        }
    }

    @TokenBudget(agent = "whole")
    static class Whole {
        String one() {
            return ask();
        }

        @TokenBudget(agent = "own")
        String two() {
            return ask();
        }

        @Override
        public String toString() {
            return String.valueOf(TokenBudgets.current().agent());
        }
    }

    static class Part extends Whole {
        @Override
        String one() {
            return ask();
        }

        String three() {
            return ask();
        }
    }

    @TokenBudget(agent = "branch")
    static class Branch extends Whole {}

    @TokenBudget(agent = "twig")
    static class Twig extends Whole {}

    @TokenBudget(agent = "static")
    static String still(String question) {
        return ask();
    }

    @TokenBudget(agent = "final")
    static final class Sealed {
        private boolean asked;

        @TokenBudget(agent = "private")
        private int hidden(long a, double b) {
            asked = ask().endsWith("private");
            return asked ? 7 : 0;
        }

        void nothing() {
            asked = ask().endsWith("final");
        }

        int viaPrivate() {
            return hidden(1L, 2.0);
        }
    }

    @TokenBudget(agent = "loop", maxTokens = 100, fallback = "rest")
    static long loop(int times) {
        for (int i = 0; i < times; i++) {
            String unused = ask();
        }
        return times;
    }

    static long rest(int times, LimitExceededException refused) {
        return -times;
    }

    @TokenBudget(agent = "strict", maxTokens = 100)
    static void strict() {
        for (int i = 0; i < 10; i++) {
            String unused = ask();
        }
    }

    @TokenBudget(agent = "stage", maxTokens = 100, fallback = "laterInstead")
    static CompletionStage<String> stage(int times) {
        return CompletableFuture.supplyAsync(
                () -> {
                    loop(0);
                    String answer = "none";
                    for (int i = 0; i < times; i++) {
                        answer = ask();
                    }
                    return answer;
                },
                TokenBudgets.wrap(Runnable::run));
    }

    static CompletionStage<String> laterInstead(int times) {
        return CompletableFuture.completedFuture("later");
    }

    @TokenBudget(agent = "mono", tenant = "{0}", maxTokens = 100, fallback = "monoInstead")
    static Mono<String> mono(String tenant, int times) {
        return Mono.fromCallable(() -> {
            String answer = "none";
            for (int i = 0; i < times; i++) {
                answer = ask();
            }
            return answer;
        });
    }

    static Mono<String> monoInstead(String tenant, int times) {
        return Mono.just("later");
    }

    @TokenBudget(agent = "elsewhere", maxTokens = 100)
    static Mono<String> elsewhere(int times) {
        return Mono.fromCallable(() -> {
                    String answer = "none";
                    for (int i = 0; i < times; i++) {
                        answer = ask();
                    }
                    return answer;
                })
                .subscribeOn(Schedulers.boundedElastic());
    }

    @TokenBudget(agent = "flux")
    static Flux<String> flux() {
        return Flux.range(0, 2).map(i -> ask());
    }

    @TokenBudget(agent = "wrong", tenant = "{order.tenantId}")
    static String wrong(String question) {
        return ask();
    }

    @TokenBudget(agent = "throwing")
    static String throwing() {
        throw new IllegalArgumentException(ask());
    }

    public static void main(String[] args) throws Exception {
        say("contract", () -> new Contractor().plan(new Order("acme", Map.of("user", "u-1"))));
        say("generic", () -> new Contractor().generic(1));
        say("by-default", () -> new Contractor().byDefault());
        say("whole", () -> new Whole().one() + ", " + new Whole());
        say("own", () -> new Whole().two());
        say("part", () -> new Part().one() + ", " + new Part().three());
        say("inherited", () -> new Branch().one() + ", " + new Twig().one() + ", " + new Whole().one());
        say("static", () -> still("x"));
        say("private", () -> new Sealed().viaPrivate());
        say("void", () -> {
            Sealed sealed = new Sealed();
            sealed.nothing();
            return sealed.asked;
        });
        say("loop", () -> loop(2) + " " + loop(9));
        say("strict", () -> {
            strict();
            return "";
        });
        say(
                "stage",
                () -> stage(1).toCompletableFuture().join() + ", "
                        + stage(9).toCompletableFuture().join());
        say("mono", () -> mono("acme", 1).block() + ", " + mono("acme", 9).block());
        say("elsewhere", () -> elsewhere(1).block());
        say("elsewhere-strict", () -> elsewhere(9).block());
        say("flux", () -> flux().collectList().block());
        say("wrong", () -> wrong("x"));
        say("throwing", BudgetedApp::throwing);
        say("outside", BudgetedApp::ask);
        System.out.println(Web.get(args[0]));
    }

    private static void say(String name, java.util.concurrent.Callable<Object> call) {
        String outcome;
        try {
            outcome = String.valueOf(call.call());
        } catch (LimitExceededException refused) {
            outcome = "refused by " + refused.scope().replaceAll(":.*", "");
        } catch (Throwable thrown) {
            outcome = "thrown " + thrown;
        }
        System.out.println(name + ": " + outcome);
    }
}
