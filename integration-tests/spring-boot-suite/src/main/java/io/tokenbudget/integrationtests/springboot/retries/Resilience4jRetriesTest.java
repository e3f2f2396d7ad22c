package io.tokenbudget.integrationtests.springboot.retries;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.retry.RetryRegistry;
import io.tokenbudget.testkit.FakeClock;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Resilience4j around @TokenBudget")
public class Resilience4jRetriesTest extends RetriesSuite {
    private final Resilience4jRetries.RetriedDesk retried = bean(Resilience4jRetries.RetriedDesk.class);
    private final DecoratedDesk.Calls calls = bean(DecoratedDesk.Calls.class);

    Resilience4jRetriesTest() {
        super(Resilience4jRetries.class, Resilience4jRetries.CONFIGURATION);
    }

    @Test
    @DisplayName("C7: attempts that a decorated supplier makes under one key are one run")
    void attemptsOfADecoratedSupplierAreOneRun() {
        assertAttemptsAreOneRun("plain", question -> calls.handle("t-2", question));
    }

    @Test
    @DisplayName("C8: a decorated supplier that ignores refusals does not repeat them")
    void aDecoratedSupplierThatIgnoresRefusals() {
        assertRefusedOnce("plainly-refused", topic -> calls.research("t-3", topic));
    }

    @Test
    @DisplayName("C8: a refusal that a stage ends with is final too")
    void aRefusalOfAStageIsFinal() {
        assertRefusedOnce("refused-stage", topic -> result(retried.refusedStage(topic)));
    }

    @Test
    @DisplayName("C7, C10: attempts of a stage, on Resilience4j's thread, are one run")
    void attemptsOfAStageAreOneRun() {
        assertAttemptsAreOneRun("staged", question -> result(retried.staged("t-4", question)));
    }

    private static String result(CompletionStage<String> stage) {
        try {
            return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
        } catch (CompletionException failed) {
            throw (RuntimeException) failed.getCause();
        }
    }

    @Test
    @DisplayName("C8: an attempt after as long as the refusal says is made")
    void anAttemptAfterTheWaitIsMade() {
        FakeClock clock = bean(FakeClock.class);
        bean(RetryRegistry.class)
                .retry("patient")
                .getEventPublisher()
                .onRetry(event -> clock.advance(Duration.ofMinutes(2)));
        assertThat(retried.patient(QUESTION)).isNotEmpty();
        assertThat(retried.patient(QUESTION)).isNotEmpty();
    }
}
