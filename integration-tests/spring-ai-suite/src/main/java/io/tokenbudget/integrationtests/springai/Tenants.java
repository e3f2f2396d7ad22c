package io.tokenbudget.integrationtests.springai;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.core.BudgetReport;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.springai.MeteredChatModel;
import io.tokenbudget.springai.MeteredToolCallingManager;
import io.tokenbudget.testkit.matrix.ModelSpec;
import io.tokenbudget.testkit.matrix.Provider;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;

/** A budget for each tenant, whom a thread names by what stands for its diagnostic context, and a provider with a key for each. */
final class Tenants implements AutoCloseable {
    private static final String BUDGETS = """
            identity:
              tenant: ["mdc:tenant", "literal:nobody"]
            streaming: {reserve: auto, chunk: 32}
            budgets:
              - scope: tenant
                limits: ["1M tokens per 1h", "1M output tokens per 1h"]
              - scope: tenant:poor
                limits: ["600 tokens per 1h"]
            """;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ThreadLocal<@Nullable String> MDC = new ThreadLocal<>();

    final ProviderStub stub = ProviderStub.start(0);
    final List<String> notices = new CopyOnWriteArrayList<>();
    private final Metering metering =
            new Metering(TokenLimiters.builder().yaml(BUDGETS).build(), notices::add);
    final CallMeter meter = metering.meter(
            new CallerSource() {
                @Override
                public BudgetContext current() {
                    return TokenBudgets.current();
                }

                @Override
                public @Nullable String value(IdentitySource source) {
                    return MDC.get();
                }
            },
            RefusalFactory.OWN);

    /** Runs {@code work} on a thread whose diagnostic context names {@code tenant}. */
    static void as(String tenant, Runnable work) {
        MDC.set(tenant);
        try {
            work.run();
        } finally {
            MDC.remove();
        }
    }

    ToolCallingManager manager() {
        return MeteredToolCallingManager.wrap(ToolCallingManager.builder().build(), meter);
    }

    /** A model whose calls the provider bills to {@code tenant}. */
    ChatModel model(String tenant, String scenario) {
        ModelSpec spec = new ModelSpec(Provider.OPENAI, stub.baseUrl(), tenant, scenario, null, 0, PATIENCE);
        return MeteredChatModel.wrap(Generation.present().model(spec, manager()), meter);
    }

    long used(String tenant) {
        return limit("tenant:" + tenant, "tokens").mapToLong(BudgetStatus::used).sum();
    }

    long usedOutput(String tenant) {
        return limit("tenant:" + tenant, "output tokens")
                .mapToLong(BudgetStatus::used)
                .sum();
    }

    long billed(String tenant) {
        return stub.ledger().billed(tenant).totalTokens();
    }

    BudgetReport report() {
        return metering.report();
    }

    private java.util.stream.Stream<BudgetStatus> limit(String scope, String unit) {
        return report().budgets().stream()
                .filter(status -> status.scope().equals(scope) && status.unit().equals(unit));
    }

    /** Waits until nothing is held: what ends a stream may come on any thread. */
    void assertComesToRest() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (report().reservations().held() > 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(report().reservations().held()).as("held").isZero();
        assertThat(report().reservations().expired()).as("expired").isZero();
        assertThat(report().calls().unmetered()).as("unmetered").isZero();
        assertThat(used("nobody")).as("used by nobody").isZero();
        assertThat(notices).isEmpty();
    }

    @Override
    public void close() {
        stub.close();
    }
}
