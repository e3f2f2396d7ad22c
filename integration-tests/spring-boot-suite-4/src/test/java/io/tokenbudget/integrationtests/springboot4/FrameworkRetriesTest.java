package io.tokenbudget.integrationtests.springboot4;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.integrationtests.springboot.retries.RetriesSuite;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("@Retryable of Spring Framework 7 around @TokenBudget")
class FrameworkRetriesTest extends RetriesSuite {
    private final FrameworkRetries.RetriedDesk retried = bean(FrameworkRetries.RetriedDesk.class);

    FrameworkRetriesTest() {
        super(FrameworkRetries.class);
    }

    @Test
    @DisplayName("C8: where the application names refusals, they are tried again; what was refused is not asked again")
    void namedRefusalsAreTriedAgain() {
        int seen = FrameworkRetries.Failures.SEEN.get();
        assertRefusedOnce("asked", retried::asked);
        assertThat(FrameworkRetries.Failures.SEEN.get() - seen).isPositive();
    }

    @Test
    @DisplayName("C7, C10: with @Async, which stays outside, all attempts are one run on the other thread")
    void attemptsOnAnotherThreadAreOneRun() {
        assertAttemptsAreOneRun("async", question -> retried.async(question).join());
    }

    @Test
    @DisplayName("C7: all attempts are under one ceiling where a method returns a publisher")
    void attemptsOfAPublisherAreUnderOneCeiling() {
        assertAttemptsAreUnderOneCeiling(
                "mono", question -> retried.mono(question).block() + "");
    }

    @Test
    @DisplayName("C8: a refusal of a publisher is final by the line of the page")
    void aRefusalOfAPublisherIsFinalByTheLineOfThePage() {
        assertRefusedOnce("excluded-mono", topic -> retried.excludedMono(topic).block() + "");
    }

    @Test
    void aFallbackAnswersAtOnce() {
        assertThat(retried.answeredInstead("topic")).isEqualTo("instead");
    }
}
