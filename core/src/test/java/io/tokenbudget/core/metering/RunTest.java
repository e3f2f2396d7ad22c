package io.tokenbudget.core.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.Usage;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.config.IdentitySource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("C11 the outermost call is the run, C10 who calls is taken down once")
class RunTest {
    private static final String YAML = """
            identity: {tenant: ["mdc:tenant"], agent: ["literal:planner"]}
            budgets:
              - scope: run
                limits: ["1000 tokens"]
              - scope: tenant
                limits: ["100k tokens per 1h"]
            """;

    private final Map<Thread, String> mdc = new HashMap<>();
    private final List<String> notices = new ArrayList<>();
    private final Metering metering =
            new Metering(TokenLimiters.builder().yaml(YAML).build(), notices::add);
    private final CallMeter meter = metering.meter(
            new CallerSource() {
                @Override
                public BudgetContext current() {
                    return TokenBudgets.current();
                }

                @Override
                public @Nullable String value(IdentitySource source) {
                    return mdc.get(Thread.currentThread());
                }
            },
            RefusalFactory.OWN);

    private @Nullable RuntimeException call(long tokens) {
        Frame frame = meter.open(new Object(), () -> ModelCall.of("gpt", tokens, 1));
        RuntimeException refusal = frame.refusal();
        frame.succeed(Usage.of(tokens, 1), 0, null);
        return refusal;
    }

    private List<BudgetStatus> of(String dimension) {
        return metering.report().budgets().stream()
                .filter(status -> status.scope().startsWith(dimension + ":"))
                .toList();
    }

    @Test
    void R12_aRunThatNobodyHasNamedLeavesMemoryWhenNothingIsLeftOfIt() {
        Run kept = meter.openRun();
        assertThat(call(99)).isNull();
        meter.closeRun(kept);
        for (int bare = 0; bare < 500; bare++) {
            assertThat(call(99)).isNull();
        }
        Frame stream = meter.openStream(new Object(), () -> ModelCall.of("gpt", 99, 1));
        stream.detach();

        for (int attempt = 0; attempt < 100 && of("run").size() > 2; attempt++) {
            System.gc();
        }
        assertThat(of("run"))
                .as("of 502 runs the one that may go on and the one whose stream flows")
                .hasSize(2);
        Run before = meter.enterRun(kept);
        assertThat(call(99)).isNull();
        meter.leaveRun(before);
        stream.succeed(Usage.of(99, 1), 0, null);
        assertThat(of("run")).extracting(BudgetStatus::used).containsExactlyInAnyOrder(200L, 100L);
        assertThat(notices).isEmpty();
    }

    @Test
    void whatADecoratorAsksForIsOneRunAlsoWhenItsClassIsKnown() {
        Object model = new Object();
        class Refiner {}
        for (int time = 1; time <= 3; time++) {
            Frame outer = meter.open(new Refiner(), () -> ModelCall.of("gpt", 99, 1));
            int calls = 0;
            Object answer = new Object();
            while (true) {
                Frame inner = meter.open(model, () -> ModelCall.of("gpt", 99, 1));
                if (inner.refusal() != null) {
                    break;
                }
                calls++;
                inner.succeed(Usage.of(99, 1), 0, answer);
            }
            outer.succeed(Usage.of(99, 1), 0, answer);

            assertThat(calls).as("time " + time).isEqualTo(10);
        }
        assertThat(notices).isEmpty();
    }

    @Test
    void callsWithinOneRunShareItsBudgetAndAnEndlessLoopEndsThere() {
        Run run = meter.openRun();
        assertThat(meter.openRun()).as("a run inside is the same run").isNull();
        int calls = 0;
        while (call(99) == null) {
            calls++;
        }
        meter.closeRun(run);

        assertThat(calls).isEqualTo(10);
        assertThat(of("run"))
                .singleElement()
                .satisfies(status -> assertThat(status.used()).isEqualTo(1000));
        assertThat(call(99)).as("the next call is a run of its own").isNull();
        assertThat(of("run")).hasSize(2);
        assertThat(meter.currentRun()).isNull();
    }

    @Test
    void aBareCallIsARunAndWhatItsToolsCallBelongsToIt() {
        Frame outer = meter.open(new Object(), () -> ModelCall.of("gpt", 10, 1));
        outer.endRound(Usage.of(10, 1), 0);
        outer.enterTools();
        call(20);
        outer.exitTools();
        outer.startRound(() -> ModelCall.of("gpt", 30, 1));
        outer.succeed(Usage.of(30, 1), 0, null);

        assertThat(of("run"))
                .singleElement()
                .satisfies(status -> assertThat(status.used()).isEqualTo(63));
    }

    @Test
    void C10_whoCallsIsWhoBeganTheRunOnWhateverThreadItGoesOn() throws Exception {
        mdc.put(Thread.currentThread(), "acme");
        Run run = meter.openRun();
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.submit(() -> mdc.put(Thread.currentThread(), "other")).get();
        pool.submit(() -> {
                    Run before = meter.enterRun(run);
                    call(10);
                    meter.leaveRun(before);
                    call(20);
                })
                .get();
        meter.closeRun(run);
        pool.shutdown();

        assertThat(of("tenant"))
                .extracting(status -> status.scope() + " " + status.used())
                .containsExactlyInAnyOrder("tenant:acme 11", "tenant:other 21");
    }

    /** A queue's next job, begun where the one before it ended, against a tool loop that goes on there. */
    @ParameterizedTest(name = "acme''s callback on a thread with {0}, which the application makes {1}: {2}")
    @CsvSource({
        "nothing, nothing, acme",
        "others, others, acme",
        "others, nothing, acme",
        "nothing, acme, acme",
        "others, acme, acme",
        "nothing, globex, globex",
        "others, globex, globex",
        "others, the same again, others",
    })
    void C10_whomTheApplicationNamesInACallbackIsAnotherCallerAndARunOfItsOwn(
            String entered, String then, String charged) {
        say("acme");
        Run run = meter.openRun();
        call(10);
        meter.closeRun(run);

        say(entered);
        Run before = meter.enterRun(run);
        if (then.equals("the same again")) {
            say(String.valueOf(entered.toCharArray()));
        } else if (!then.equals(entered)) {
            say(then);
        }
        call(20);
        Run inside = meter.openRun();
        call(30);
        meter.closeRun(inside);
        Frame stream = meter.openStream(new Object(), () -> ModelCall.of("gpt", 40, 1));
        stream.detach();
        stream.succeed(Usage.of(40, 1), 0, null);
        meter.leaveRun(before);

        boolean same = charged.equals("acme");
        assertThat(of("tenant"))
                .extracting(status -> status.scope() + " " + status.used())
                .containsExactlyInAnyOrder(
                        same
                                ? new String[] {"tenant:acme 104"}
                                : new String[] {"tenant:acme 11", "tenant:" + charged + " 93"});
        assertThat(of("run")).hasSize(same ? 1 : 4);
        assertThat(meter.currentRun()).isNull();
        assertThat(notices).isEmpty();
    }

    private void say(String tenant) {
        if (tenant.equals("nothing")) {
            mdc.remove(Thread.currentThread());
        } else {
            mdc.put(Thread.currentThread(), tenant);
        }
    }

    @Test
    void whatTheApplicationSaysInsideARunComesBeforeWhoBeganIt() {
        mdc.put(Thread.currentThread(), "acme");
        Run run = meter.openRun();
        TokenBudgets.Scope nested =
                TokenBudgets.open(BudgetContext.builder().tenant("globex").build());
        call(10);
        nested.close();
        TokenBudgets.Scope named =
                TokenBudgets.open(BudgetContext.builder().runId("mine").build());
        call(20);
        named.close();
        meter.closeRun(run);

        assertThat(of("tenant"))
                .extracting(status -> status.scope() + " " + status.used())
                .containsExactlyInAnyOrder("tenant:globex 11", "tenant:acme 21");
        assertThat(of("run"))
                .hasSize(2)
                .anySatisfy(status -> assertThat(status.scope()).isEqualTo("run:mine"));
    }

    @Test
    void aRunThatTheApplicationNamedKeepsItsName() {
        TokenBudgets.Scope scope =
                TokenBudgets.open(BudgetContext.builder().runId("r-1").build());
        Run run = meter.openRun();
        call(10);
        meter.closeRun(run);
        call(20);
        scope.close();

        assertThat(of("run")).singleElement().satisfies(status -> {
            assertThat(status.scope()).isEqualTo("run:r-1");
            assertThat(status.used()).isEqualTo(32);
        });
    }

    @Test
    void C10_anExecutorOfTheFrameworkWorksForTheRunThatHandedTheTaskIn() throws Exception {
        mdc.put(Thread.currentThread(), "acme");
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.submit(() -> mdc.put(Thread.currentThread(), "other")).get();
        ExecutorService wrapped = (ExecutorService) meter.executor(pool);
        Run run = meter.openRun();
        wrapped.submit(() -> call(10)).get();
        TokenBudgets.Scope nested =
                TokenBudgets.open(BudgetContext.builder().tenant("globex").build());
        wrapped.submit(() -> call(20)).get();
        nested.close();
        meter.closeRun(run);
        wrapped.submit(() -> call(30)).get();
        assertThat(pool.submit(meter::currentRun).get()).isNull();
        wrapped.shutdown();

        assertThat(of("tenant"))
                .extracting(status -> status.scope() + " " + status.used())
                .containsExactlyInAnyOrder("tenant:acme 11", "tenant:globex 21", "tenant:other 31");
        assertThat(of("run")).hasSize(2);
    }
}
