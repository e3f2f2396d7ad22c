package io.tokenbudget.integrationtests.springboot.retries;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudget;

/** A bean that nothing tries again but who calls it. */
class DecoratedDesk {
    private final Clerk clerk;

    DecoratedDesk(Clerk clerk) {
        this.clerk = clerk;
    }

    @TokenBudget(agent = "plain", idempotencyKey = "{ticket}", maxTokens = 4_000)
    public String handle(String ticket, String question) {
        return clerk.answer(question);
    }

    @TokenBudget(agent = "plainly-refused", idempotencyKey = "{ticket}", maxTokens = 1_000)
    public String research(String ticket, String topic) {
        return clerk.research(topic);
    }

    static class Calls {
        private final DecoratedDesk desk;

        Calls(DecoratedDesk desk) {
            this.desk = desk;
        }

        String handle(String ticket, String question) {
            RetryConfig refusalsAreFinal = RetryConfig.custom()
                    .ignoreExceptions(LimitExceededException.class)
                    .build();
            Retry retry = Retry.of("desk", refusalsAreFinal);
            return Retry.decorateSupplier(retry, () -> desk.handle(ticket, question))
                    .get();
        }

        String research(String ticket, String topic) {
            RetryConfig refusalsAreFinal = RetryConfig.custom()
                    .ignoreExceptions(LimitExceededException.class)
                    .build();
            Retry retry = Retry.of("desk", refusalsAreFinal);
            return Retry.decorateSupplier(retry, () -> desk.research(ticket, topic))
                    .get();
        }
    }
}
