package io.tokenbudget.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.tokenbudget.core.DefaultTokenLimiter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Micronaut beside the agent: one process, one ledger")
class BesideTheAgentTest {
    private static final String ACTIVE = "token-budget.agent.active";

    @Test
    void whatTheAgentWeavesIsNotInterceptedTwice() {
        System.setProperty(ACTIVE, "true");
        try (ApplicationContext context = ApplicationContext.run()) {
            assertThat(context.containsBean(TokenBudgetInterceptor.class)).isFalse();
            assertThat(context.containsBean(MeteredBeans.class)).isFalse();
            assertThat(context.getBean(DefaultTokenLimiter.class)).isNotNull();
        } finally {
            System.clearProperty(ACTIVE);
        }
    }

    @Test
    void withoutItBothAreThere() {
        try (ApplicationContext context = ApplicationContext.run()) {
            assertThat(context.containsBean(TokenBudgetInterceptor.class)).isTrue();
            assertThat(context.containsBean(MeteredBeans.class)).isTrue();
        }
    }
}
