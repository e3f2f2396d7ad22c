package io.tokenbudget.integrationtests.springboot4;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.integrationtests.springboot.retries.RetriedApplication;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("@Retryable of Spring Framework 7 around @TokenBudget with an order of the application's own")
class RetriesOfOwnOrderTest extends RetriedApplication {
    RetriesOfOwnOrderTest() {
        super(FrameworkRetries.class, "token-budget.aspect-order=1000");
    }

    @Test
    @DisplayName("The advice stays where the order says, inside of the retry: without a key each attempt is a run")
    void eachAttemptIsARun() {
        assertThat(attemptThreeTimes("unnamed", desk::unnamed)).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("C7: attempts under one key are one run all the same")
    void attemptsUnderOneKeyAreOneRun() {
        assertAttemptsAreOneRun("desk", question -> desk.handle("t-1", question));
    }

    @Test
    @DisplayName("C8: a refusal is final by the line of the page")
    void aRefusalIsFinalByTheLineOfThePage() {
        assertRefusedOnce("excluded", desk::excluded);
    }
}
