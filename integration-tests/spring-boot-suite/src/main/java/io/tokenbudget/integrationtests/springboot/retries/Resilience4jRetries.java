package io.tokenbudget.integrationtests.springboot.retries;

import io.github.resilience4j.retry.annotation.Retry;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.testkit.FakeClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** An application with Resilience4j. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({Mail.class, Clerk.class, Resilience4jRetries.RetriedDesk.class, DecoratedDesk.class, DecoratedDesk.Calls.class
})
class Resilience4jRetries {
    /** What the page shows, and times that suit a test. */
    static final String[] CONFIGURATION = {
        "resilience4j.retry.instances.desk.ignore-exceptions=io.tokenbudget.LimitExceededException",
        "resilience4j.retry.instances.desk.max-attempts=10",
        "resilience4j.retry.instances.desk.wait-duration=1ms",
        "resilience4j.retry.instances.slow.base-config=slow",
        "resilience4j.retry.instances.slow.ignore-exceptions=io.tokenbudget.LimitExceededException",
        "resilience4j.retry.configs.slow.wait-duration=10m",
        "resilience4j.retry.instances.bare.wait-duration=1ms",
        "resilience4j.retry.instances.patient.wait-duration=1ms",
    };

    @Bean
    FakeClock clock() {
        return FakeClock.atNewYear();
    }

    @Bean
    DefaultTokenLimiter limiter(FakeClock clock) {
        return TokenLimiters.builder().clock(clock).yaml("""
                        budgets:
                          - {scope: agent, limits: ["1M tokens per 1h", "1k attempts per 1h"]}
                          - {scope: "agent:patient", limits: ["1M tokens per 1h", "1 request per 1m"]}
                        """).build();
    }

    static class RetriedDesk implements Desk {
        private final Clerk clerk;

        RetriedDesk(Clerk clerk) {
            this.clerk = clerk;
        }

        @Override
        @Retry(name = "desk")
        @TokenBudget(agent = "desk", idempotencyKey = "{ticket}", maxTokens = 4_000)
        public String handle(String ticket, String question) {
            return clerk.answer(question);
        }

        @Override
        @Retry(name = "desk")
        @TokenBudget(agent = "unnamed")
        public String unnamed(String question) {
            return clerk.answer(question);
        }

        @Override
        @Retry(name = "desk")
        @TokenBudget(agent = "bound", maxTokens = 1_000)
        public String bound(String question) {
            return clerk.answer(question);
        }

        @Override
        @Retry(name = "bare")
        @TokenBudget(agent = "research", maxTokens = 1_000)
        public String research(String topic) {
            return clerk.research(topic);
        }

        @Override
        @Retry(name = "slow")
        @TokenBudget(agent = "excluded", maxTokens = 1_000)
        public String excluded(String topic) {
            return clerk.research(topic);
        }

        @Retry(name = "desk")
        @TokenBudget(agent = "staged", idempotencyKey = "{ticket}", maxTokens = 4_000)
        public CompletionStage<String> staged(String ticket, String question) {
            return stage(() -> clerk.answer(question));
        }

        @Retry(name = "bare")
        @TokenBudget(agent = "refused-stage", maxTokens = 1_000)
        public CompletionStage<String> refusedStage(String topic) {
            return stage(() -> clerk.research(topic));
        }

        private static CompletionStage<String> stage(Supplier<String> answer) {
            try {
                return CompletableFuture.completedFuture(answer.get());
            } catch (RuntimeException failed) {
                return CompletableFuture.failedFuture(failed);
            }
        }

        @Retry(name = "patient")
        @TokenBudget(agent = "patient")
        public String patient(String question) {
            return clerk.answer(question);
        }
    }
}
