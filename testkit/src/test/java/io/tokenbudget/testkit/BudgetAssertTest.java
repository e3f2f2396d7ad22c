package io.tokenbudget.testkit;

import static io.tokenbudget.testkit.TokenBudgetAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.TokenLimiter;
import io.tokenbudget.core.TokenLimiters;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Assertions on budgets")
class BudgetAssertTest {
    private final TokenLimiter limiter = TokenLimiters.builder()
            .yaml("budgets: [{scope: agent, limits: [100 tokens per 1h, 5 requests per 1h]}]")
            .build();

    @Test
    void passWhereTheNumbersAreRight() {
        limiter.settle(limiter.reserve("planner", "acme", 50).id(), 20);
        limiter.reserve("planner", "acme", 30);

        assertThat(limiter, "agent:planner").hasUsed(20).hasHeld(30).hasRemaining(50);
    }

    @Test
    void nameTheBudgetAndTheNumberThatIsWrong() {
        limiter.reserve("planner", "acme", 30);

        assertThatThrownBy(() -> assertThat(limiter, "agent:planner").hasUsed(0).hasHeld(20))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Expected agent:planner tokens to have held 20 but it has 30");
    }

    @Test
    void failForABudgetThatIsNotLive() {
        assertThatThrownBy(() -> assertThat(limiter, "agent:nobody"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("agent:nobody");
    }
}
