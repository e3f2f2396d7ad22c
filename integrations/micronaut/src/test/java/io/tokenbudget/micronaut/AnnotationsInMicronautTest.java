package io.tokenbudget.micronaut;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.testkit.annotation.AnnotatedPlanner;
import io.tokenbudget.testkit.annotation.AnnotationSuite;
import io.tokenbudget.testkit.annotation.Model;
import io.tokenbudget.testkit.annotation.Planner;
import io.tokenbudget.testkit.annotation.Searcher;
import io.tokenbudget.testkit.annotation.WronglyAnnotated;
import io.tokenbudget.testkit.inprocess.Snapshots;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import jakarta.inject.Singleton;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Micronaut: what @TokenBudget means")
class AnnotationsInMicronautTest extends AnnotationSuite {
    private static final ApplicationContext CONTEXT = start(Map.of());

    /** Beans of Micronaut's compiler, whose annotations are all in classes that it finds compiled. */
    @Singleton
    static class PlannerBean extends AnnotatedPlanner {
        PlannerBean(Model model, Searcher searcher) {
            super(model, searcher);
        }
    }

    @Singleton
    static class SearcherBean extends Searcher {
        SearcherBean(Model model) {
            super(model);
        }
    }

    @Singleton
    @Requires(property = "wrong")
    static class WrongBean extends WronglyAnnotated {}

    private static ApplicationContext start(Map<String, Object> properties) {
        DefaultTokenLimiter limiter = TokenLimiters.builder().yaml(BUDGETS).build();
        return ApplicationContext.builder(properties).singletons(limiter).start();
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
        start(Map.of("wrong", "")).close();
    }
}
