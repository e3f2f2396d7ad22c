package io.tokenbudget.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.model.chat.StreamingChatModel;
import io.tokenbudget.BudgetContext;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.langchain4j.FakeStreamingModel.Recorder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("C10 who calls, where an application goes on with the next job in the callback of the one before")
class NextCallerTest {
    private final ThreadLocal<String> mdc = new ThreadLocal<>();
    private final List<String> notices = new ArrayList<>();
    private final Metering metering =
            new Metering(TokenLimiters.builder().yaml("""
                            identity: {tenant: ["mdc:tenant"]}
                            budgets:
                              - {scope: tenant, limits: ["1M tokens per 1h"]}
                              - {scope: run, limits: ["1000 tokens"]}
                            """).build(), notices::add);
    private final FakeStreamingModel fake = new FakeStreamingModel();
    private final StreamingChatModel model = MeteredStreamingChatModel.wrap(
            fake,
            metering.meter(
                    new CallerSource() {
                        @Override
                        public BudgetContext current() {
                            return TokenBudgets.current();
                        }

                        @Override
                        public @Nullable String value(IdentitySource source) {
                            return mdc.get();
                        }
                    },
                    RefusalFactory.OWN));
    private final Deque<String> jobs = new ArrayDeque<>(List.of("acme", "acme", "globex", "acme", "initech"));

    private void next() {
        String tenant = jobs.poll();
        if (tenant != null) {
            mdc.set(tenant);
            ask();
        }
    }

    private void ask() {
        Recorder application = new Recorder();
        application.then = signal -> {
            if (signal.equals("complete")) {
                next();
            }
        };
        model.chat("hi", application);
    }

    @Test
    void C10_eachTenantPaysForItsOwnJobsOnTheClientsThread() throws Exception {
        ExecutorService http = Executors.newSingleThreadExecutor();
        fake.atOnce = handler -> http.execute(() -> handler.onCompleteResponse(FakeStreamingModel.response(100, 50)));
        next();
        while (!jobs.isEmpty()) {
            http.submit(() -> {}).get();
        }
        assertThat(metering.report().calls().metered()).isGreaterThanOrEqualTo(1);
        http.submit(() -> {}).get();
        http.shutdown();
        assertThat(http.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertEachPaidForItsOwn();
    }

    @Test
    void C10_eachTenantPaysForItsOwnJobsWhereTheModelAnswersAtOnce() {
        fake.atOnce = handler -> handler.onCompleteResponse(FakeStreamingModel.response(100, 50));
        next();
        assertEachPaidForItsOwn();
    }

    private void assertEachPaidForItsOwn() {
        assertThat(metering.report().budgets())
                .filteredOn(status -> status.scope().startsWith("tenant:"))
                .extracting(status -> status.scope() + " " + status.used())
                .containsExactlyInAnyOrder("tenant:acme 450", "tenant:globex 150", "tenant:initech 150");
        assertThat(metering.report().budgets()).extracting(BudgetStatus::held).containsOnly(0L);
        assertThat(notices).isEmpty();
    }
}
