package io.tokenbudget.integrationtests.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import io.tokenbudget.BudgetContext;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.Usage;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.CallLog;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Failure;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.langchain4j.MeteredChatModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("named-calls")
@DisplayName("C7 retries above LangChain4j of a call that has a name, over real HTTP")
class LangChain4jRetriesInProcessTest {
    private static final String QUESTION = "How is the weather?";

    private final ProviderStub stub = ProviderStub.start(0);
    private final List<String> notices = Collections.synchronizedList(new ArrayList<>());
    private final List<String> ended = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void stop() {
        stub.close();
    }

    private Metering metering(String limit) {
        String yaml = "budgets: [{scope: tenant, limits: [\"" + limit + "\", \"100 attempts per 1h\"]}]";
        return new Metering(TokenLimiters.builder().yaml(yaml).build(), notices::add, new CallLog() {
            @Override
            public void answered(ReservationRequest estimate, Usage actual) {
                ended.add(estimate.id() + " answered");
            }

            @Override
            public void kept(ReservationRequest estimate, Usage booked, @Nullable Failure failure) {
                ended.add(estimate.id() + " kept");
            }

            @Override
            public void refunded(ReservationRequest estimate, Failure failure) {
                ended.add(estimate.id() + " refunded");
            }

            @Override
            public void refused(ReservationRequest estimate, long outputByDefault, LimitExceededException refusal) {
                ended.add("refused");
            }
        });
    }

    private ChatModel model(Metering metering, String name) {
        return MeteredChatModel.wrap(
                OpenAiChatModel.builder()
                        .baseUrl(stub.baseUrl() + "/v1")
                        .apiKey("key")
                        .modelName(name)
                        .maxTokens(20)
                        .maxRetries(0)
                        .timeout(Duration.ofSeconds(20))
                        .build(),
                metering.meter(
                        CallerSource.of(LangChain4jRetriesInProcessTest.class.getClassLoader()), RefusalFactory.OWN));
    }

    private static String ask(ChatModel model) {
        TokenBudgets.Scope scope = TokenBudgets.open(BudgetContext.builder()
                .tenant("acme")
                .idempotencyKey("order-17")
                .build());
        try {
            return model.chat(QUESTION);
        } finally {
            scope.close();
        }
    }

    private static long of(Metering metering, String unit, ToLongFunction<BudgetStatus> field) {
        return metering.report().budgets().stream()
                .filter(status -> status.unit().equals(unit))
                .mapToLong(field)
                .sum();
    }

    @Test
    void aCallThatFailsTwiceIsOneChainOfThreeAttempts() {
        Metering metering = metering("1000 tokens per 1h");
        ChatModel model = model(metering, "error-500-twice");
        String answer = "";
        int failures = 0;
        while (answer.isEmpty()) {
            try {
                answer = ask(model);
            } catch (RuntimeException failed) {
                failures++;
            }
        }

        assertThat(failures).isEqualTo(2);
        String id = ended.get(0).replace(" refunded", "");
        assertThat(id).startsWith("order-17");
        assertThat(ended).containsExactly(id + " refunded", id + "#2 refunded", id + "#3 answered");
        assertThat(of(metering, "tokens", BudgetStatus::used))
                .isPositive()
                .isEqualTo(stub.ledger().billed().totalTokens());
        assertThat(of(metering, "tokens", BudgetStatus::held)).isZero();
        assertThat(of(metering, "attempts", BudgetStatus::used)).isEqualTo(3);
        assertThat(notices).isEmpty();
    }

    @Test
    void aRepeatOnAnotherThreadWhileTheFirstIsUnderWayNeedsNoRoomOfItsOwnAndBothAreBooked() throws Exception {
        Metering metering = metering("60 tokens per 1h");
        ChatModel model = model(metering, "slow-1500ms");
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            Future<String> first = pool.submit(() -> ask(model));
            long held = 0;
            while (held == 0 && !first.isDone()) {
                held = of(metering, "tokens", BudgetStatus::held);
                Thread.onSpinWait();
            }
            assertThat(held).isBetween(31L, 59L);
            Future<String> repeat = pool.submit(() -> ask(model));

            assertThat(first.get()).isNotBlank();
            assertThat(repeat.get()).isNotBlank();
        } finally {
            pool.shutdownNow();
        }
        assertThat(stub.ledger().billed().calls()).isEqualTo(2);
        assertThat(of(metering, "tokens", BudgetStatus::used))
                .isEqualTo(stub.ledger().billed().totalTokens());
        assertThat(of(metering, "tokens", BudgetStatus::held)).isZero();
        assertThat(notices).isEmpty();
    }
}
