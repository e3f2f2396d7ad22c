package io.tokenbudget.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.micronaut.context.ApplicationContext;
import io.micronaut.retry.annotation.Retryable;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.testkit.annotation.Model;
import io.tokenbudget.testkit.inprocess.Snapshots;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

@DisplayName("Micronaut: what its compiler makes of @TokenBudget on a bean's methods")
class BeanMethodsTest {
    private final ApplicationContext context = ApplicationContext.builder()
            .singletons(TokenLimiters.builder().yaml("""
                            identity: {agent: ["literal:nobody"], tenant: ["literal:nobody"]}
                            budgets:
                              - {scope: agent, limits: ["1M tokens per 1h", "1k attempts per 1h"]}
                              - {scope: tenant, limits: ["1M tokens per 1h"]}
                            """).build())
            .start();

    @AfterEach
    void stop() {
        context.close();
    }

    @TokenBudget(agent = "of-the-interface", tenant = "of-the-interface")
    interface Asking {
        @TokenBudget(agent = "above", tenant = "above", maxTokens = 100)
        String overridden();

        String unsaid();
    }

    @Singleton
    static class Desk implements Asking {
        private final Model model;
        final AtomicInteger attempts = new AtomicInteger();

        Desk(Model model) {
            this.model = model;
        }

        @Override
        @TokenBudget(agent = "here")
        public String overridden() {
            return model.ask() + model.ask();
        }

        @Override
        public String unsaid() {
            return model.ask();
        }

        @TokenBudget(agent = "package-private")
        String packagePrivate() {
            return model.ask();
        }

        @TokenBudget(agent = "throwing")
        String throwing() throws IOException {
            throw new IOException(model.ask());
        }

        @TokenBudget(agent = "published", maxTokens = 100)
        Publisher<String> published(int times) {
            Flux<String> answers = Flux.range(0, times).map(i -> model.ask());
            return subscriber -> {
                answers.subscribe(subscriber);
            };
        }

        @TokenBudget(agent = "private-fallback", maxTokens = 100, fallback = "instead")
        String privateFallback(String question) {
            return model.ask() + model.ask();
        }

        @SuppressWarnings({"unused", "UnusedVariable"})
        private String instead(String question, LimitExceededException refused) {
            return "instead of " + question;
        }

        @Retryable(attempts = "3", delay = "1ms", excludes = LimitExceededException.class)
        @TokenBudget(agent = "retried", idempotencyKey = "{key}", maxTokens = 1000)
        String retried(String key) {
            String answer = model.ask() + TokenBudgets.current().runId();
            if (attempts.incrementAndGet() < 3) {
                throw new IllegalStateException("again");
            }
            return answer;
        }

        @Retryable(attempts = "3", delay = "1ms", excludes = LimitExceededException.class)
        @TokenBudget(agent = "refused", maxTokens = 100)
        String refused() {
            attempts.incrementAndGet();
            return model.ask() + model.ask();
        }
    }

    private Desk desk() {
        return context.getBean(Desk.class);
    }

    private long used(String scope, String unit) {
        return Snapshots.of(context.getBean(Metering.class).report()).used(scope, unit);
    }

    @Test
    @DisplayName("The nearest annotation says all there is: of one above nothing is left, no ceiling either")
    void theNearestAnnotationSaysAll() {
        String unused = desk().overridden();
        assertThat(used("agent:here", "tokens")).isEqualTo(200);
        assertThat(used("tenant:nobody", "tokens")).isEqualTo(200);
    }

    @Test
    void whatAnInterfaceSaysHoldsForMethodsThatSayNothing() {
        String unused = desk().unsaid();
        assertThat(used("agent:of-the-interface", "tokens")).isEqualTo(100);
    }

    @Test
    void packagePrivateMethodsAreRunsToo() {
        String unused = desk().packagePrivate();
        assertThat(used("agent:package-private", "tokens")).isEqualTo(100);
    }

    @Test
    void checkedExceptionsReachTheCallerAsTheyAre() {
        assertThatThrownBy(() -> desk().throwing()).isExactlyInstanceOf(IOException.class);
    }

    @Test
    @DisplayName("C10: a Publisher of whatever library goes on in its run")
    void anyPublisherGoesOnInItsRun() {
        Flux<String> answers = Flux.from(desk().published(2));
        assertThat(catchThrowable(answers::blockLast)).isInstanceOf(LimitExceededException.class);
        assertThat(used("agent:published", "tokens")).isEqualTo(100);
    }

    @Test
    void aFallbackMayBePrivate() {
        assertThat(desk().privateFallback("why")).isEqualTo("instead of why");
    }

    @Test
    @DisplayName("C7: attempts of @Retryable inside share one run under their key")
    void attemptsShareOneRun() {
        assertThat(desk().retried("order-1")).matches("answerorder-1@[0-9a-f]{16}");
        assertThat(desk().attempts).hasValue(3);
        assertThat(used("agent:retried", "tokens")).isEqualTo(300);
        assertThat(used("agent:retried", "attempts")).isEqualTo(3);
    }

    @Test
    @DisplayName("C8: a refusal is not tried again where @Retryable excludes it")
    void aRefusalIsNotTriedAgain() {
        assertThatThrownBy(() -> desk().refused()).isInstanceOf(LimitExceededException.class);
        assertThat(desk().attempts).hasValue(1);
    }
}
