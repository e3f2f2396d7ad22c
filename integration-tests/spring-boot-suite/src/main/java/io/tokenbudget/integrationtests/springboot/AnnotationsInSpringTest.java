package io.tokenbudget.integrationtests.springboot;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.TokenBudget;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.method.InvalidTokenBudgetException;
import io.tokenbudget.testkit.annotation.AnnotatedPlanner;
import io.tokenbudget.testkit.annotation.AnnotationSuite;
import io.tokenbudget.testkit.annotation.Model;
import io.tokenbudget.testkit.annotation.Planner;
import io.tokenbudget.testkit.annotation.Searcher;
import io.tokenbudget.testkit.annotation.WronglyAnnotated;
import io.tokenbudget.testkit.inprocess.MeteredModel;
import io.tokenbudget.testkit.inprocess.Snapshots;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

@DisplayName("Spring: what @TokenBudget means")
public class AnnotationsInSpringTest extends AnnotationSuite {
    private static final ConfigurableApplicationContext CONTEXT = Application.withoutWeb(Planning.class);

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Planning {
        @Bean
        DefaultTokenLimiter limiter() {
            return TokenLimiters.builder().yaml(BUDGETS).build();
        }

        @Bean
        Model model(CallMeter meter) {
            return new MeteredModel(meter);
        }

        @Bean
        AnnotatedPlanner planner(Model model, Searcher searcher) {
            return new AnnotatedPlanner(model, searcher);
        }

        @Bean
        Searcher searcher(Model model) {
            return new Searcher(model);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Wrong {
        @Bean
        WronglyAnnotated wrong() {
            return new WronglyAnnotated();
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class OfPrivateMethod {
        @TokenBudget(agent = "unseen")
        private String ask() {
            return "answer";
        }

        @Override
        public String toString() {
            return ask();
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class OfFinalMethod {
        @TokenBudget(agent = "unseen")
        final String ask() {
            return "answer";
        }
    }

    @AfterAll
    static void stop() {
        CONTEXT.close();
    }

    @Override
    protected Planner planner() {
        return CONTEXT.getBean(Planner.class);
    }

    @Override
    protected String askOutside() {
        return CONTEXT.getBean(Model.class).ask();
    }

    @Override
    protected BudgetsSnapshot budgets() {
        return Snapshots.of(CONTEXT.getBean(Metering.class).report());
    }

    @Override
    protected void useWronglyAnnotated() {
        Application.withoutWeb(Wrong.class).close();
    }

    @ParameterizedTest
    @DisplayName("A method whose calls Spring cannot see is an error at start-up that says what to do")
    @ValueSource(classes = {OfPrivateMethod.class, OfFinalMethod.class})
    void aMethodThatSpringCannotSeeIsAnError(Class<?> application) {
        assertThatThrownBy(() -> Application.withoutWeb(application).close())
                .hasRootCauseInstanceOf(InvalidTokenBudgetException.class)
                .rootCause()
                .hasMessageContaining(application.getName().replace('$', '.').substring(0, 10))
                .hasMessageContaining("ask()")
                .hasMessageContaining("none of private, final and static, or TokenBudgets.open(..)");
    }
}
