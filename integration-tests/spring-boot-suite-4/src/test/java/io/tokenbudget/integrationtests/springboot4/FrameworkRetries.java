package io.tokenbudget.integrationtests.springboot4;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.integrationtests.springboot.retries.Clerk;
import io.tokenbudget.integrationtests.springboot.retries.Desk;
import io.tokenbudget.integrationtests.springboot.retries.Mail;
import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.resilience.retry.MethodRetryPredicate;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import reactor.core.publisher.Mono;

/** An application with {@code @Retryable} of Spring Framework 7. */
@SpringBootConfiguration
@EnableAutoConfiguration
@EnableAsync(proxyTargetClass = true)
@EnableResilientMethods(proxyTargetClass = true)
@Import({Mail.class, Clerk.class, FrameworkRetries.RetriedDesk.class})
class FrameworkRetries {
    private static final long TEN_MINUTES = 600_000;

    /** Sees the failures that it decides about. */
    static final class Failures implements MethodRetryPredicate {
        static final AtomicInteger SEEN = new AtomicInteger();

        @Override
        public boolean shouldRetry(Method method, Throwable thrown) {
            SEEN.incrementAndGet();
            return true;
        }
    }

    static class RetriedDesk implements Desk {
        private final Clerk clerk;

        RetriedDesk(Clerk clerk) {
            this.clerk = clerk;
        }

        @Override
        @Retryable(maxRetries = 9, delay = 100)
        @TokenBudget(agent = "desk", idempotencyKey = "{ticket}", maxTokens = 4_000)
        public String handle(String ticket, String question) {
            return clerk.answer(question);
        }

        @Override
        @Retryable(delay = 1)
        @TokenBudget(agent = "unnamed")
        public String unnamed(String question) {
            return clerk.answer(question);
        }

        @Override
        @Retryable(maxRetries = 9, delay = 1)
        @TokenBudget(agent = "bound", maxTokens = 1_000)
        public String bound(String question) {
            return clerk.answer(question);
        }

        @Override
        @Retryable(delay = TEN_MINUTES)
        @TokenBudget(agent = "research", maxTokens = 1_000)
        public String research(String topic) {
            return clerk.research(topic);
        }

        @Override
        @Retryable(excludes = LimitExceededException.class, delay = TEN_MINUTES)
        @TokenBudget(agent = "excluded", maxTokens = 1_000)
        public String excluded(String topic) {
            return clerk.research(topic);
        }

        @Retryable(includes = LimitExceededException.class, predicate = Failures.class, delay = 1)
        @TokenBudget(agent = "asked", maxTokens = 1_000)
        public String asked(String topic) {
            return clerk.research(topic);
        }

        @Async
        @Retryable(delay = 1)
        @TokenBudget(agent = "async")
        public CompletableFuture<String> async(String question) {
            return CompletableFuture.completedFuture(clerk.answer(question));
        }

        @Retryable(maxRetries = 9, excludes = LimitExceededException.class, delay = 1)
        @TokenBudget(agent = "mono", maxTokens = 1_000)
        public Mono<String> mono(String question) {
            return Mono.fromCallable(() -> clerk.answer(question));
        }

        @Retryable(excludes = LimitExceededException.class, delay = TEN_MINUTES)
        @TokenBudget(agent = "excluded-mono", maxTokens = 1_000)
        public Mono<String> excludedMono(String topic) {
            return Mono.fromCallable(() -> clerk.research(topic));
        }

        @Retryable(delay = TEN_MINUTES)
        @TokenBudget(agent = "answered-instead", maxTokens = 1_000, fallback = "instead")
        public String answeredInstead(String topic) {
            return clerk.research(topic);
        }

        String instead(String topic) {
            return "instead";
        }
    }
}
