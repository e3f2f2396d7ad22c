package io.tokenbudget.integrationtests.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudgets;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName(
        "Starter: each model is metered however it is injected, each call charged once, and refused before it is sent")
public class ManyWaysTest {
    private final Application application = Application.start(
            ManyWays.class,
            "spring.ai.openai.chat.options.stream-usage=true",
            "token-budget.identity.tenant=mdc:tenant, literal:default",
            "token-budget.budgets[0].scope=tenant",
            "token-budget.budgets[0].limits=1M tokens per 1h",
            "token-budget.budgets[1].scope=tenant:poor",
            "token-budget.budgets[1].limits[0]=1 token per 1h");

    @AfterAll
    void stop() {
        application.close();
    }

    @TestFactory
    @DisplayName("C1, C2: what is booked is what the provider billed")
    Stream<DynamicTest> bookedIsWhatWasBilled() {
        return each((name, way) -> {
            long billed = application.billed();
            long used = application.used("tenant:" + name);
            String answer = as(name, way);
            assertThat(answer).isNotEmpty();
            assertThat(application.billed()).isGreaterThan(billed);
            application.awaitUsed("tenant:" + name, used + application.billed() - billed);
            assertThat(application.held()).isZero();
        });
    }

    @TestFactory
    @DisplayName("R2: a call that does not fit never reaches the provider, and the application gets the refusal itself")
    Stream<DynamicTest> aCallThatDoesNotFitIsRefused() {
        return each((name, way) -> {
            int calls = application.provider().ledger().calls().size();
            assertThatThrownBy(() -> as("poor", way)).isInstanceOf(LimitExceededException.class);
            assertThat(application.provider().ledger().calls()).hasSize(calls);
            assertThat(application.held()).isZero();
        });
    }

    private Stream<DynamicTest> each(Check check) {
        Map<String, Function<String, String>> ways =
                new TreeMap<>(application.context().getBean(ManyWays.Ways.class).byName());
        return ways.entrySet().stream()
                .map(way -> DynamicTest.dynamicTest(way.getKey(), () -> check.of(way.getKey(), way.getValue())));
    }

    @FunctionalInterface
    private interface Check {
        void of(String name, Function<String, String> way);
    }

    private static String as(String tenant, Function<String, String> way) {
        try (TokenBudgets.Scope open =
                TokenBudgets.open(BudgetContext.builder().tenant(tenant).build())) {
            assertThat(open).isNotNull();
            return way.apply(ManyWays.QUESTION);
        }
    }
}
