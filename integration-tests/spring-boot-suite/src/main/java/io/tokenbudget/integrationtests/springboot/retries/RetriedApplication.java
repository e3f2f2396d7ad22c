package io.tokenbudget.integrationtests.springboot.retries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.integrationtests.springboot.Application;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** An application whose {@link Desk} is tried again. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
public abstract class RetriedApplication {
    /** Some hundred tokens. */
    protected static final String QUESTION = "Where is my order? ".repeat(30);

    /** It and its provider. */
    protected final Application application;

    /** What it tries again. */
    protected final Desk desk;

    /** Where its answers go. */
    protected final Mail mail;

    /** @param type an application with a {@link Desk} and a {@link Mail} */
    protected RetriedApplication(Class<?> type, String... configuration) {
        List<String> all = new ArrayList<>(List.of(
                "spring.main.web-application-type=none",
                "token-budget.budgets[0].scope=agent",
                "token-budget.budgets[0].limits[0]=1M tokens per 1h",
                "token-budget.budgets[0].limits[1]=1k attempts per 1h"));
        all.addAll(List.of(configuration));
        application = Application.start(type, all.toArray(String[]::new));
        desk = application.context().getBean(Desk.class);
        mail = application.context().getBean(Mail.class);
    }

    @AfterAll
    void stop() {
        application.close();
    }

    /** Calls twice in vain and once with success. */
    protected final void assertAttemptsAreOneRun(String agent, UnaryOperator<String> asked) {
        attemptThreeTimes(agent, asked);
        assertThat(mail.runs()).hasSize(3).containsOnly(mail.runs().get(0));
    }

    /** The same, without a look at the runs. */
    protected final List<Object> attemptThreeTimes(String agent, UnaryOperator<String> asked) {
        mail.fail(2);
        long billed = application.billed();
        int calls = calls();

        assertThat(asked.apply(QUESTION)).isNotEmpty();

        assertThat(calls() - calls).isEqualTo(3);
        assertThat(application.used("agent:" + agent, "attempts")).isEqualTo(3);
        assertThat(application.used("agent:" + agent)).isEqualTo(application.billed() - billed);
        assertThat(application.held()).isZero();
        return mail.runs();
    }

    /** Fails until the ceiling refuses. */
    protected final void assertAttemptsAreUnderOneCeiling(String agent, UnaryOperator<String> asked) {
        mail.fail(10);
        long billed = application.billed();

        assertThatThrownBy(() -> asked.apply(QUESTION)).isInstanceOf(LimitExceededException.class);

        assertThat(mail.runs()).hasSizeBetween(2, 9);
        assertThat(application.used("agent:" + agent))
                .isEqualTo(application.billed() - billed)
                .isBetween(1L, 1_000L);
        assertThat(application.held()).isZero();
    }

    /** Is refused after one call of the provider. */
    protected final void assertRefusedOnce(String agent, UnaryOperator<String> asked) {
        mail.fail(0);
        long billed = application.billed();
        int calls = calls();

        assertThatThrownBy(() -> asked.apply("topic")).isInstanceOf(LimitExceededException.class);

        assertThat(mail.runs()).hasSize(1);
        assertThat(calls() - calls).isEqualTo(1);
        assertThat(application.used("agent:" + agent)).isEqualTo(application.billed() - billed);
        assertThat(application.held()).isZero();
    }

    protected final <T> T bean(Class<T> type) {
        return application.context().getBean(type);
    }

    private int calls() {
        return application.provider().ledger().calls().size();
    }
}
