package io.tokenbudget.integrationtests.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudgets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * Runs on every line. Not under the agent: the caller is named here by a {@code BudgetContext} of the application's own, which
 * one without our classes has not, or by a thread's diagnostic context, which the class paths of the lines keep nothing in. How
 * the agent finds a caller on other threads is tested in JVMs of their own, by {@code AgentLaunchIT} and the launch tests; how
 * streams end under it, by the matrix.
 */
@DisplayName("Spring AI's streams as Reactor's, over real HTTP")
@Tag("accounting-matrix")
class ReactorInProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String QUESTION = "What will the weather be like on Sunday?";
    private static final int REQUESTS = 16;

    private final Tenants tenants = new Tenants();

    @AfterEach
    void stopProvider() {
        tenants.close();
    }

    private Flux<ChatResponse> stream(Asking asking, String tenant, String scenario) {
        return asking.stream(tenants.model(tenant, scenario), tenants.manager(), QUESTION);
    }

    /** A tool loop whose tool asks another model, in another thread than the one that began it all. */
    private Flux<ChatResponse> streamWithNestedCall(Asking asking, String tenant) {
        ChatModel inner = tenants.model(tenant, "ok");
        return asking.stream(
                tenants.model(tenant, "tools-1"),
                tenants.manager(),
                QUESTION,
                Tools.weather(() -> inner.call(QUESTION), false));
    }

    private static String tenant(int request) {
        return request % 2 == 0 ? "acme" : "globex";
    }

    private void assertEachPaysItsOwn() {
        for (String tenant : List.of("acme", "globex")) {
            assertThat(tenants.billed(tenant)).isPositive();
            assertThat(tenants.used(tenant)).as(tenant).isEqualTo(tenants.billed(tenant));
        }
        tenants.assertComesToRest();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("C10: who calls is taken down when a run begins, and holds on the threads of a pool and in its tools")
    void whoCallsIsTakenDownWhenARunBegins(Asking asking) {
        Scheduler pool = Schedulers.newParallel("pool", 2);
        try {
            List<Mono<List<ChatResponse>>> all = new ArrayList<>();
            for (int request = 0; request < REQUESTS; request++) {
                String tenant = tenant(request);
                all.add(Mono.<List<ChatResponse>>create(sink -> Tenants.as(tenant, () -> {
                            var unused = streamWithNestedCall(asking, tenant)
                                    .publishOn(pool)
                                    .collectList()
                                    .subscribe(sink::success, sink::error);
                        }))
                        .subscribeOn(pool));
            }
            Flux.merge(all).blockLast(PATIENCE);
        } finally {
            pool.dispose();
        }

        assertThat(tenants.report().calls().metered()).isEqualTo(3L * REQUESTS);
        assertEachPaysItsOwn();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("C10: a budget context is carried in Reactor's, whichever threads subscribe and run tools")
    void aBudgetContextIsCarriedInReactors(Asking asking) {
        Scheduler pool = Schedulers.newParallel("pool", 2);
        try {
            List<Flux<ChatResponse>> all = new ArrayList<>();
            for (int request = 0; request < REQUESTS; request++) {
                String tenant = tenant(request);
                BudgetContext context = BudgetContext.builder().tenant(tenant).build();
                all.add(streamWithNestedCall(asking, tenant)
                        .subscribeOn(pool)
                        .contextWrite(Context.of(BudgetContext.KEY, context)));
            }
            Flux.merge(all).blockLast(PATIENCE);
        } finally {
            pool.dispose();
        }

        assertEachPaysItsOwn();
    }

    @Test
    @DisplayName(
            "C10: a model's stream that is asked for within a budget context is of that context, wherever it begins")
    void aStreamBelongsToWhoAskedForIt() {
        Flux<ChatResponse> stream;
        try (TokenBudgets.Scope scope =
                TokenBudgets.open(BudgetContext.builder().tenant("acme").build())) {
            assertThat(scope).isNotNull();
            stream = stream(Asking.CHAT_MODEL, "acme", "ok");
        }

        stream.subscribeOn(Schedulers.parallel()).blockLast(PATIENCE);

        assertThat(tenants.used("acme")).isEqualTo(tenants.billed("acme")).isPositive();
        tenants.assertComesToRest();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("C5: asking for a stream holds nothing, and each subscription is a call")
    void eachSubscriptionIsACall(Asking asking) {
        Tenants.as("acme", () -> {
            Flux<ChatResponse> stream = stream(asking, "acme", "ok");
            assertThat(tenants.report().calls().metered()).isZero();
            assertThat(tenants.stub.ledger().calls()).isEmpty();

            stream.blockLast(PATIENCE);
        });
        if (asking == Asking.CHAT_MODEL) {
            // A client's chain of advisors can be walked once.
            Flux<ChatResponse> stream = stream(asking, "acme", "ok");
            Tenants.as("acme", () -> stream.blockLast(PATIENCE));
            Tenants.as("acme", () -> stream.blockLast(PATIENCE));
        }

        assertThat(tenants.report().calls().metered())
                .isEqualTo(tenants.stub.ledger().calls().size());
        assertThat(tenants.used("acme")).isEqualTo(tenants.billed("acme")).isPositive();
        tenants.assertComesToRest();
    }

    @Test
    @DisplayName("C7: a retry of the application's own is a call of its own, and a refusal reaches no provider")
    void aRetryIsACallOfItsOwn() {
        Tenants.as(
                "acme",
                () -> stream(Asking.CHAT_MODEL, "acme", "error-500-twice")
                        .retry(2)
                        .blockLast(PATIENCE));

        assertThat(tenants.report().calls().metered()).isEqualTo(3);
        assertThat(tenants.report().reservations().refunded()).isEqualTo(2);
        assertThat(tenants.used("acme")).isEqualTo(tenants.billed("acme")).isPositive();

        int requests = tenants.stub.ledger().calls().size();
        String tooLong = QUESTION.repeat(100);
        Flux<ChatResponse> refused = Asking.CHAT_MODEL.stream(tenants.model("poor", "ok"), tenants.manager(), tooLong);
        Tenants.as(
                "poor",
                () -> assertThatThrownBy(() -> refused.retry(2).blockLast(PATIENCE))
                        .isInstanceOf(LimitExceededException.class));

        assertThat(tenants.stub.ledger().calls()).hasSize(requests);
        tenants.assertComesToRest();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("C5: a time-out of the application's own books what has flowed")
    void aTimeOutOfTheApplicationsOwnBooksWhatHasFlowed(Asking asking) {
        Tenants.as("acme", () -> {
            Flux<ChatResponse> stream = stream(asking, "acme", "slow-stream")
                    .timeout(Mono.delay(PATIENCE), chunk -> Mono.delay(Duration.ofMillis(10)));
            assertThatThrownBy(() -> stream.blockLast(PATIENCE)).hasCauseInstanceOf(TimeoutException.class);
        });

        tenants.assertComesToRest();
        assertThat(tenants.used("acme")).isPositive();
        assertThat(tenants.usedOutput("acme")).isLessThan(10);
        assertThat(tenants.report().calls().metered()).isOne();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("C5: taking a few books what has flowed, and the provider sees the client leave")
    void takingAFewBooksWhatHasFlowed(Asking asking) throws Exception {
        Tenants.as("acme", () -> stream(asking, "acme", "endless").take(6).blockLast(PATIENCE));
        tenants.stub.ledger().awaitLeftByClient("acme", 1, PATIENCE);

        tenants.assertComesToRest();
        long billedOutput = tenants.stub.ledger().billed("acme").outputTokens();
        assertThat(tenants.usedOutput("acme")).isBetween(3L, billedOutput + 2);
    }
}
