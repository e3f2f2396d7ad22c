package io.tokenbudget.integrationtests.springboot.retries;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudget;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.retry.RetryCallback;
import org.springframework.retry.RetryContext;
import org.springframework.retry.RetryListener;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.retry.annotation.Recover;
import org.springframework.retry.annotation.Retryable;

/** An application with Spring Retry. */
@SpringBootConfiguration
@EnableAutoConfiguration
@EnableRetry
@Import({Mail.class, Clerk.class, SpringRetries.RetriedDesk.class, SpringRetries.RecoveringDesk.class})
class SpringRetries {
    private static final int TEN_MINUTES = 600_000;

    /** A listener of the application's own. */
    static final class Failures implements RetryListener {
        final AtomicInteger seen = new AtomicInteger();

        @Override
        public <T, E extends Throwable> void onError(RetryContext context, RetryCallback<T, E> callback, Throwable e) {
            seen.incrementAndGet();
        }
    }

    @Bean
    Failures failures() {
        return new Failures();
    }

    static class RetriedDesk implements Desk {
        private final Clerk clerk;

        RetriedDesk(Clerk clerk) {
            this.clerk = clerk;
        }

        @Override
        @Retryable(maxAttempts = 10, backoff = @Backoff(delay = 100))
        @TokenBudget(agent = "desk", idempotencyKey = "{ticket}", maxTokens = 4_000)
        public String handle(String ticket, String question) {
            return clerk.answer(question);
        }

        @Override
        @Retryable(backoff = @Backoff(delay = 1))
        @TokenBudget(agent = "unnamed")
        public String unnamed(String question) {
            return clerk.answer(question);
        }

        @Override
        @Retryable(maxAttempts = 10, backoff = @Backoff(delay = 1))
        @TokenBudget(agent = "bound", maxTokens = 1_000)
        public String bound(String question) {
            return clerk.answer(question);
        }

        @Override
        @Retryable(backoff = @Backoff(delay = TEN_MINUTES))
        @TokenBudget(agent = "research", maxTokens = 1_000)
        public String research(String topic) {
            return clerk.research(topic);
        }

        @Override
        @Retryable(noRetryFor = LimitExceededException.class, listeners = "failures", backoff = @Backoff(TEN_MINUTES))
        @TokenBudget(agent = "excluded", maxTokens = 1_000)
        public String excluded(String topic) {
            return clerk.research(topic);
        }

        @Retryable(retryFor = LimitExceededException.class, backoff = @Backoff(delay = 1))
        @TokenBudget(agent = "asked", maxTokens = 1_000)
        public String asked(String topic) {
            return clerk.research(topic);
        }

        @Retryable(stateful = true)
        @TokenBudget(agent = "stateful", maxTokens = 1_000)
        public String stateful(String topic) {
            return clerk.research(topic);
        }
    }

    static class RecoveringDesk {
        private final Clerk clerk;

        RecoveringDesk(Clerk clerk) {
            this.clerk = clerk;
        }

        @Retryable(backoff = @Backoff(delay = TEN_MINUTES))
        @TokenBudget(agent = "recovered", maxTokens = 1_000)
        public String recovered(String topic) {
            return clerk.research(topic);
        }

        @Recover
        public String later(LimitExceededException refused, String topic) {
            return "later";
        }
    }
}
