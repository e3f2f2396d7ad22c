package io.tokenbudget.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.Usage;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.ModelCall;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.core.method.MethodRuns;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@DisplayName("What a method with @TokenBudget returns in Reactor")
class InRunTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<String> notices = new ArrayList<>();
    private final Metering metering =
            new Metering(TokenLimiters.builder().yaml("""
                            identity: {tenant: ["header:X-Tenant", "literal:nobody"], agent: ["literal:nobody"]}
                            budgets:
                              - {scope: tenant, limits: ["1M tokens per 1h"]}
                              - {scope: agent, limits: ["1M tokens per 1h"]}
                            """).build(), notices::add);
    private final CallMeter meter = metering.meter(CallerSource.of(null), RefusalFactory.OWN);
    private final MethodRuns runs = new MethodRuns(meter, List.of(new ReactorResults()));

    @SuppressWarnings("unused")
    private static final class Desk {
        @TokenBudget(agent = "desk")
        Mono<String> find() {
            return Mono.empty();
        }

        @TokenBudget(agent = "bounded", tenant = "globex", maxTokens = 200)
        Mono<String> bounded() {
            return Mono.empty();
        }

        @TokenBudget(agent = "many", maxTokens = 200, fallback = "instead")
        Flux<String> many() {
            return Flux.empty();
        }

        Flux<String> instead() {
            return Flux.just("instead");
        }
    }

    private String ask() {
        Frame frame = meter.open(new Object(), () -> ModelCall.of("gpt", 60, 40));
        RuntimeException refusal = frame.refusal();
        if (refusal != null) {
            throw refusal;
        }
        frame.succeed(Usage.of(60, 40), 0, null);
        return "answer";
    }

    @SuppressWarnings("unchecked") // the body returns what the method does
    private <T> T call(String name, T returned) {
        Method method = Arrays.stream(Desk.class.getDeclaredMethods())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
        try {
            return (T) Objects.requireNonNull(runs.call(method, new Desk(), new Object[0], () -> returned));
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private long used(String scope) {
        return metering.report().budgets().stream()
                .filter(status -> status.scope().equals(scope))
                .mapToLong(BudgetStatus::used)
                .sum();
    }

    @AfterEach
    void nothingIsAFaultAndNothingIsLeft() {
        assertThat(notices).isEmpty();
        assertThat(TokenBudgets.current()).isSameAs(BudgetContext.EMPTY);
        assertThat(meter.currentRun()).isNull();
    }

    @Test
    void C10_isForWhomTheReactorContextNames() {
        Mono<String> found = call("find", Mono.fromCallable(this::ask));
        found.contextWrite(context -> context.put(BudgetContext.KEY, meter.request(source -> "acme")))
                .block(PATIENCE);
        found.contextWrite(context -> context.put(
                        BudgetContext.KEY,
                        BudgetContext.builder().agent("front").tenant("globex").build()))
                .block(PATIENCE);
        found.block(PATIENCE);
        assertThat(used("tenant:acme")).isEqualTo(100);
        assertThat(used("tenant:globex")).isEqualTo(100);
        assertThat(used("tenant:nobody")).isEqualTo(100);
        assertThat(used("agent:desk")).isEqualTo(300);
    }

    @Test
    void R2_whoeverAsksAgainInTheSameContextIsBoundByTheSameCeiling() {
        BudgetContext request = meter.request(source -> "acme");
        Mono<String> bounded = call("bounded", Mono.fromCallable(this::ask))
                .contextWrite(context -> context.put(BudgetContext.KEY, request));
        assertThat(bounded.repeat(1).collectList().block(PATIENCE)).hasSize(2);
        assertThatThrownBy(() -> bounded.block(PATIENCE)).isInstanceOf(LimitExceededException.class);
        assertThat(used("tenant:globex")).isEqualTo(200);
    }

    @Test
    @SuppressWarnings("try") // what is open is not looked at
    void C10_whatTheSubscriberDoesWithItIsTheSubscribers() {
        try (TokenBudgets.Scope open = TokenBudgets.open(
                BudgetContext.builder().tenant("acme").agent("caller").build())) {
            for (int i = 0; i < 3; i++) {
                call("bounded", Mono.just("found")).map(found -> ask()).block(PATIENCE);
            }
            call("bounded", Mono.fromCallable(this::ask).subscribeOn(Schedulers.boundedElastic()))
                    .map(found -> ask())
                    .block(PATIENCE);
        }
        assertThat(used("agent:caller")).isEqualTo(400);
        assertThat(used("tenant:acme")).isEqualTo(400);
        assertThat(used("agent:bounded")).isZero();
    }

    @Test
    void C10_whatIsRequestedFromAnotherThreadIsDoneInTheRun() {
        List<String> answers = call("many", Flux.range(0, 2).map(i -> ask()))
                .publishOn(Schedulers.parallel(), 1)
                .collectList()
                .block(PATIENCE);
        assertThat(answers).hasSize(2);
        assertThat(used("agent:many")).isEqualTo(200);
    }

    @Test
    void anAnswerThatHasBegunIsNotFollowedByTheFallback() {
        List<String> seen = new ArrayList<>();
        Flux<String> many = call("many", Flux.range(0, 3).map(i -> ask())).doOnNext(seen::add);
        assertThatThrownBy(() -> many.blockLast(PATIENCE)).isInstanceOf(LimitExceededException.class);
        assertThat(seen).containsExactly("answer", "answer");
        assertThat(many.collectList().block(PATIENCE)).containsExactly("instead");
    }
}
