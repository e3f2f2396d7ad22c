package io.tokenbudget.integrationtests.springboot.retries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.LimitExceededException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.retry.RetryListener;

@DisplayName("Spring Retry around @TokenBudget")
public class SpringRetriesTest extends RetriesSuite {
    private final SpringRetries.Failures failures = (SpringRetries.Failures) bean(RetryListener.class);
    private final SpringRetries.RetriedDesk retried = bean(SpringRetries.RetriedDesk.class);

    SpringRetriesTest() {
        super(SpringRetries.class);
    }

    @BeforeEach
    void forget() {
        failures.seen.set(0);
    }

    @Test
    void whoHasOneListenerOfTheApplicationsInjectedGetsIt() {
        assertThat(failures).isNotNull();
    }

    @Test
    @DisplayName("C8: where the application names refusals, they are tried again; what was refused is not asked again")
    void namedRefusalsAreTriedAgain() {
        assertRefusedOnce("asked", retried::asked);
        assertThat(failures.seen).hasValue(3);
    }

    @Test
    void aRefusalIsRecoveredFromAtOnce() {
        assertThat(bean(SpringRetries.RecoveringDesk.class).recovered("topic")).isEqualTo("later");
        assertThat(failures.seen).hasValue(1);
    }

    @Test
    @DisplayName("A retry that has a state, which lives on, is not ended by a refusal: the next call is made")
    void aRetryWithAStateIsNotEnded() {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> retried.stateful("topic")).isInstanceOf(LimitExceededException.class);
        }
        assertThat(failures.seen).hasValue(2);
    }
}
