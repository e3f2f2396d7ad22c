package io.tokenbudget.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.TokenBudgets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.example.Contexts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;

@SuppressWarnings("try") // what is open is not looked at
@DisplayName("docs/context.md: its code is compiled, and does what the page says")
class ContextGuideTest {
    private final ExecutorService pool = Executors.newSingleThreadExecutor();
    private final Contexts contexts =
            new Contexts(question -> TokenBudgets.current().dimensions().toString());

    @AfterEach
    void stop() {
        pool.shutdown();
    }

    @Test
    void everyPieceIsOfTheProgram() throws IOException {
        String program = squeezed(Files.readString(Path.of("src/test/java/org/example/Contexts.java")));
        String page = Files.readString(Path.of("../../docs/context.md"));

        assertThat(Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                        .matcher(page)
                        .results()
                        .map(MatchResult::group)
                        .map(block -> squeezed(block.substring(7, block.length() - 3))))
                .hasSizeGreaterThan(3)
                .allSatisfy(piece -> assertThat(program).contains(piece));
    }

    private static String squeezed(String code) {
        return code.replaceAll("\\s+", "");
    }

    @Test
    void anOpenContextIsSeenInsideAndNarrowed() {
        assertThat(contexts.open("")).isEqualTo("{tenant=acme, agent=planner}");
        assertThat(contexts.narrow("")).isEqualTo("{tenant=acme, tool=search}");
        assertThat(TokenBudgets.current()).isSameAs(BudgetContext.EMPTY);
    }

    @Test
    void aWrappedExecutorTakesItAlong() throws Exception {
        try (TokenBudgets.Scope open =
                TokenBudgets.open(BudgetContext.builder().tenant("acme").build())) {
            assertThat(contexts.wrap(pool, "").get()).isEqualTo("{tenant=acme}");
        }
    }

    @Test
    void reactorCarriesItAndItIsNarrowedThere() {
        Flux<String> seen =
                Flux.deferContextual(context -> Flux.just(context.getOrDefault(BudgetContext.KEY, BudgetContext.EMPTY)
                        .dimensions()
                        .toString()));

        assertThat(contexts.carry(() -> seen).blockLast()).isEqualTo("{tenant=acme}");
        assertThat(contexts.narrowCarried(seen)
                        .contextWrite(Context.of(
                                BudgetContext.KEY,
                                BudgetContext.builder().tenant("acme").build()))
                        .blockLast())
                .isEqualTo("{tenant=acme, tool=search}");
    }
}
