package io.tokenbudget.aspectj;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.TokenBudget;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.testkit.annotation.AnnotatedPlanner;
import io.tokenbudget.testkit.annotation.AnnotationSuite;
import io.tokenbudget.testkit.annotation.Model;
import io.tokenbudget.testkit.annotation.Planner;
import io.tokenbudget.testkit.annotation.Searcher;
import io.tokenbudget.testkit.annotation.WronglyAnnotated;
import io.tokenbudget.testkit.inprocess.MeteredModel;
import io.tokenbudget.testkit.inprocess.Snapshots;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("@TokenBudget by AspectJ's weaver in this JVM")
class LoadTimeWeavingTest extends AnnotationSuite {
    private final List<String> notices = new CopyOnWriteArrayList<>();
    private final Metering metering =
            new Metering(TokenLimiters.builder().yaml(BUDGETS).build(), notices::add);
    private final CallMeter meter = metering.meter(CallerSource.of(getClass().getClassLoader()), RefusalFactory.OWN);
    private final Model model = new MeteredModel(meter);

    LoadTimeWeavingTest() {
        metering.install();
    }

    @AfterEach
    void nothingIsAFault() {
        assertThat(notices).isEmpty();
    }

    @Override
    protected Planner planner() {
        return new AnnotatedPlanner(model, new Searcher(model));
    }

    @Override
    protected String askOutside() {
        return model.ask();
    }

    @Override
    protected BudgetsSnapshot budgets() {
        return Snapshots.of(metering.report());
    }

    @Override
    protected void useWronglyAnnotated() {
        String unused = new WronglyAnnotated().ask("question");
    }

    @TokenBudget(agent = "contract-type")
    interface OfType {
        String ask();
    }

    interface OfMethod {
        @TokenBudget(agent = "contract-method")
        String ask();
    }

    private final class Contractor implements OfType {
        @Override
        public String ask() {
            return model.ask();
        }
    }

    private final class Unseen implements OfMethod {
        @Override
        public String ask() {
            return model.ask();
        }
    }

    @Test
    @DisplayName("An interface's own annotation holds for what implements it; that of one of its methods is not seen")
    void anInterfaceSaysItOfItselfAndNotOfItsMethods() {
        String unused = new Contractor().ask() + new Unseen().ask();

        assertThat(budgets().used("agent:contract-type", "tokens")).isEqualTo(Model.TOKENS);
        assertThat(budgets().used("agent:contract-method", "tokens")).isZero();
    }
}
