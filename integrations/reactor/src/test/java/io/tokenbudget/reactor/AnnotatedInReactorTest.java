package io.tokenbudget.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.Usage;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.ModelCall;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.core.method.BudgetedMethod;
import io.tokenbudget.core.method.MethodRuns;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

@DisplayName(
        "C10 an annotated method's Mono belongs to what Reactor carries around it, where its caller's thread knew nobody")
class AnnotatedInReactorTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<String> notices = new ArrayList<>();
    private final Metering metering =
            new Metering(TokenLimiters.builder().yaml("""
                            identity: {tenant: ["header:X-Tenant", "literal:nobody"]}
                            budgets:
                              - {scope: tenant, limits: ["1M tokens per 1h"]}
                              - {scope: agent, limits: ["1M tokens per 1h"]}
                            """).build(), notices::add);
    private final CallMeter meter = metering.meter(CallerSource.of(null), RefusalFactory.OWN);
    private final MethodRuns runs = new MethodRuns(meter, List.of(new ReactorResults()));

    /** What is annotated. */
    @SuppressWarnings("UnusedMethod") // found by reflection
    private static final class Desk {
        @TokenBudget(agent = "desk")
        Mono<String> work() {
            return Mono.empty();
        }

        @TokenBudget(agent = "outer", maxTokens = 100)
        Mono<String> outer() {
            return Mono.empty();
        }
    }

    private Mono<String> called(String name, Supplier<Mono<String>> body) {
        try {
            Method method = Desk.class.getDeclaredMethod(name);
            BudgetedMethod found = Objects.requireNonNull(runs.find(method, Desk.class));
            Object returned = runs.call(found, new Desk(), new Object[0], body::get);
            return ((Mono<?>) Objects.requireNonNull(returned)).cast(String.class);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private Mono<String> work() {
        return called("work", () -> Mono.fromCallable(this::ask));
    }

    private String ask() {
        Frame frame = meter.open(new Object(), () -> ModelCall.of("gpt", 29, 1));
        if (frame.refusal() != null) {
            throw frame.refusal();
        }
        frame.succeed(Usage.of(29, 1), 0, null);
        return "answer";
    }

    private List<String> charged() {
        assertThat(notices).isEmpty();
        return metering.report().budgets().stream()
                .filter(status -> status.used() > 0)
                .map(BudgetStatus::scope)
                .filter(scope -> !scope.startsWith("run:"))
                .toList();
    }

    private static Context carrying(BudgetContext context) {
        return Context.of(BudgetContext.KEY, context);
    }

    @Test
    void theRequestThatIsServedSaysWhoItIsFor() {
        Mono.just(1)
                .publishOn(Schedulers.parallel())
                .flatMap(one -> work())
                .contextWrite(carrying(meter.request(source -> "acme")))
                .block(PATIENCE);

        assertThat(charged()).containsExactly("agent:desk", "tenant:acme");
    }

    @Test
    void whatTheAnnotationSaysComesBeforeTheContextAroundIt() {
        Mono.just(1)
                .publishOn(Schedulers.parallel())
                .flatMap(one -> work())
                .contextWrite(carrying(BudgetContext.of("another", "acme")))
                .block(PATIENCE);

        assertThat(charged()).containsExactly("agent:desk", "tenant:acme");
    }

    @Test
    void theCeilingOfAMethodAroundItHolds() {
        Mono<String> outer = called(
                "outer",
                () -> Mono.just(1)
                        .publishOn(Schedulers.parallel())
                        .flatMap(one -> work().repeat(9).then(Mono.just("never"))));

        assertThatThrownBy(() -> outer.block(PATIENCE))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("100 tokens");
        assertThat(metering.report().calls().metered()).isEqualTo(3);
    }

    @Test
    void attemptsOfOneSubscriberShareOneRun() {
        Mono<String> outer = called("outer", () -> Mono.fromCallable(this::ask));

        assertThatThrownBy(() -> outer.repeat(9)
                        .contextWrite(carrying(meter.request(source -> "acme")))
                        .blockLast(PATIENCE))
                .isInstanceOf(LimitExceededException.class);
        assertThat(metering.report().calls().metered()).isEqualTo(3);
        assertThat(charged()).containsExactly("agent:outer", "tenant:acme");
    }
}
