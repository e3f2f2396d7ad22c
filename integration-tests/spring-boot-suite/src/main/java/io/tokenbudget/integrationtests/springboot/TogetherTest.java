package io.tokenbudget.integrationtests.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.examples.providerstub.BilledCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("Starter, @TokenBudget and ChatClient together: the difference between each ledger and the bill is 0")
public class TogetherTest {
    /** Who makes the calls of each way, in their order: the researcher or the searcher. */
    private static final Map<String, String> CALLS = Map.of(
            "client-and-model", "rr",
            "nested-bean", "rs",
            "tool-loop", "rsrsr",
            "held-up-front", "rsrsr",
            "stream", "r",
            "stream-and-nested-bean", "rs",
            "streamed-tool-loop", "rsrsr");

    private final Application application = Application.start(
            Together.class,
            "spring.ai.openai.chat.options.stream-usage=true",
            "spring.ai.openai.chat.options.model=gpt-4o-mini@tools-2",
            "spring.ai.openai.chat.model=gpt-4o-mini@tools-2",
            "token-budget.budgets[0].scope=tenant",
            "token-budget.budgets[0].limits=1M tokens per 1h",
            "token-budget.budgets[1].scope=agent",
            "token-budget.budgets[1].limits=1M tokens per 1h",
            "token-budget.budgets[2].scope=tool",
            "token-budget.budgets[2].limits=1M tokens per 1h",
            "token-budget.budgets[3].scope=run",
            "token-budget.budgets[3].limits=1M tokens",
            "token-budget.budgets[4].scope=global",
            "token-budget.budgets[4].limits=1M tokens per 1h",
            "token-budget.budgets[5].scope=tenant:poor",
            "token-budget.budgets[5].limits=2 tokens per 1h");

    @AfterAll
    void stop() {
        application.close();
    }

    private Map<String, Function<String, String>> ways() {
        return application.context().getBean(Together.Ways.class).byName();
    }

    @TestFactory
    @DisplayName("C1, C2: each call is booked once, on its agent, tenant, tool, run and on all, to the token")
    Stream<DynamicTest> bookedIsWhatWasBilled() {
        assertThat(ways()).containsOnlyKeys(CALLS.keySet());
        return ways().entrySet().stream()
                .map(way -> DynamicTest.dynamicTest(way.getKey(), () -> assertBooked(way.getKey(), way.getValue())));
    }

    private void assertBooked(String name, Function<String, String> way) {
        List<BilledCall> before = application.provider().ledger().calls();
        long researcher = application.used("agent:researcher");
        long searcher = application.used("agent:searcher");
        long tool = application.used("tool:search");
        long all = application.used("global");

        assertThat(way.apply(name)).isNotEmpty();

        List<BilledCall> calls = application.provider().ledger().calls();
        calls = calls.subList(before.size(), calls.size());
        String whose = CALLS.getOrDefault(name, "");
        assertThat(calls).hasSize(whose.length());
        long ofResearcher = billed(calls, whose, 'r');
        long ofSearcher = billed(calls, whose, 's');
        application.awaitUsed("tenant:" + name, ofResearcher + ofSearcher);
        assertThat(application.used("run:" + name)).isEqualTo(ofResearcher + ofSearcher);
        assertThat(application.used("agent:researcher") - researcher).isEqualTo(ofResearcher);
        assertThat(application.used("agent:searcher") - searcher).isEqualTo(ofSearcher);
        assertThat(application.used("tool:search") - tool).isEqualTo(ofSearcher);
        assertThat(application.used("global") - all).isEqualTo(ofResearcher + ofSearcher);
        assertThat(application.held()).isZero();
    }

    private static long billed(List<BilledCall> calls, String whose, char who) {
        long tokens = 0;
        for (int i = 0; i < calls.size(); i++) {
            tokens += whose.charAt(i) == who ? calls.get(i).totalTokens() : 0;
        }
        return tokens;
    }

    @TestFactory
    @DisplayName("R1, R2: what does not fit one of the budgets is refused, reaches nobody and is booked on none")
    Stream<DynamicTest> whatDoesNotFitIsBookedOnNone() {
        return ways().entrySet().stream()
                .map(way -> DynamicTest.dynamicTest(way.getKey(), () -> assertRefused(way.getValue())));
    }

    private void assertRefused(Function<String, String> way) {
        int calls = application.provider().ledger().calls().size();
        long all = application.used("global");
        assertThatThrownBy(() -> way.apply("poor"))
                .isInstanceOfSatisfying(
                        LimitExceededException.class,
                        refused -> assertThat(refused.scope()).isEqualTo("tenant:poor"));
        assertThat(application.provider().ledger().calls()).hasSize(calls);
        assertThat(application.used("global")).isEqualTo(all);
        assertThat(application.used("run:poor")).isZero();
        assertThat(application.held()).isZero();
    }

    @Test
    @DisplayName("C1, C10: the same of many runs at once")
    void manyRunsAtOnce() {
        long billed = application.billed();
        long all = application.used("global");
        long agents = application.used("agent:researcher") + application.used("agent:searcher");
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                String tenant = "-" + i;
                ways().forEach((name, way) ->
                        answers.add(CompletableFuture.supplyAsync(() -> way.apply(name + tenant), threads)));
            }
            assertThat(answers).allSatisfy(answer -> assertThat(answer.join()).isNotEmpty());
        } finally {
            threads.shutdown();
        }

        long now = application.billed() - billed;
        application.awaitUsed("global", all + now);
        assertThat(application.used("agent:researcher") + application.used("agent:searcher") - agents)
                .isEqualTo(now);
        long ofTenants = 0;
        for (int i = 0; i < 4; i++) {
            for (String name : ways().keySet()) {
                String scope = name + "-" + i;
                assertThat(application.used("tenant:" + scope))
                        .as(scope)
                        .isPositive()
                        .isEqualTo(application.used("run:" + scope));
                ofTenants += application.used("tenant:" + scope);
            }
        }
        assertThat(ofTenants).isEqualTo(now);
        assertThat(application.held()).isZero();
    }
}
