package org.example;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.core.http.OutgoingContext;
import java.net.http.HttpClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;

/** The code of docs/context.md. */
public final class Contexts {
    private final Assistant assistant;

    /** What asks a model. */
    public interface Assistant {
        /** Asks it. */
        String answer(String question);
    }

    /** Asks {@code assistant}. */
    public Contexts(Assistant assistant) {
        this.assistant = assistant;
    }

    /** The first example. */
    @SuppressWarnings("try") // the scope is only closed
    public String open(String question) {
        BudgetContext caller =
                BudgetContext.builder().tenant("acme").agent("planner").build();
        try (TokenBudgets.Scope scope = TokenBudgets.open(caller)) {
            return assistant.answer(question);
        }
    }

    /** A client that says for whom it asks. */
    public static HttpClient telling(OutgoingContext outgoing) {
        HttpClient client = outgoing.with(HttpClient.newBuilder()).build();
        return client;
    }

    /** Narrows it. */
    @SuppressWarnings("try") // the scope is only closed
    public String narrow(String question) {
        try (TokenBudgets.Scope acme =
                        TokenBudgets.open(BudgetContext.builder().tenant("acme").build());
                TokenBudgets.Scope search =
                        TokenBudgets.open(BudgetContext.builder().tool("search").build())) {
            return assistant.answer(question); // tenant:acme and tool:search
        }
    }

    /** Hands it to another thread. */
    public CompletableFuture<String> wrap(ExecutorService pool, String question) throws Exception {
        Executor executor = TokenBudgets.wrap((Executor) pool);
        CompletableFuture<String> later = CompletableFuture.supplyAsync(() -> assistant.answer(question), executor);
        pool.submit(TokenBudgets.wrap(() -> assistant.answer(question))).get();
        return later;
    }

    /** Says it in Reactor. */
    public Flux<String> carry(Supplier<Flux<String>> stream) {
        BudgetContext caller = BudgetContext.builder().tenant("acme").build();
        return stream.get().contextWrite(Context.of(BudgetContext.KEY, caller));
    }

    /** Narrows what Reactor carries. */
    public Flux<String> narrowCarried(Flux<String> stream) {
        BudgetContext search = BudgetContext.builder().tool("search").build();
        return stream.contextWrite(context -> context.put(
                BudgetContext.KEY,
                context.getOrDefault(BudgetContext.KEY, BudgetContext.EMPTY).with(search)));
    }
}
