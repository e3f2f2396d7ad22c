package io.tokenbudget.core.method;

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
import io.tokenbudget.core.metering.Run;
import io.tokenbudget.core.method.MethodRuns.Body;
import java.lang.reflect.Method;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A call of a method with @TokenBudget is a run, or a part of the run around it")
class MethodRunsTest {
    private static final String YAML = """
            identity: {tenant: ["literal:nobody"], agent: ["literal:default"]}
            budgets:
              - {scope: agent, limits: ["100k tokens per 1h"]}
              - {scope: tenant, limits: ["100k tokens per 1h"]}
              - {scope: "tool:known", limits: ["500 tokens per 1h"]}
            """;
    private static final String RUN_ROW = "  - {scope: run, limits: [\"1000 tokens\"]}\n";

    private final List<String> notices = new ArrayList<>();
    private Metering metering = metering(YAML);
    private final ExecutorService pool = Executors.newFixedThreadPool(1);

    private Metering metering(String yaml) {
        return new Metering(TokenLimiters.builder().yaml(yaml).build(), notices::add);
    }

    @AfterEach
    void nothingWasReportedAndNothingIsLeftOnTheThread() {
        pool.shutdown();
        assertThat(notices).isEmpty();
        assertThat(TokenBudgets.current()).isSameAs(BudgetContext.EMPTY);
        assertThat(meter().currentRun()).isNull();
    }

    private static final AtomicReference<Supplier<@Nullable String>> CHEAPER = new AtomicReference<>(() -> null);

    @SuppressWarnings("unused")
    private static class Methods {
        @TokenBudget(agent = "planner", tenant = "{tenant}")
        void named(String tenant) {}

        @TokenBudget(agent = "planner", maxTokens = 300)
        void bounded() {}

        @TokenBudget(tool = "search", maxTokens = 150)
        void tighter() {}

        @TokenBudget(runId = "{job}", maxTokens = 300)
        void job(String job) {}

        @TokenBudget(runId = "{job}")
        void renamed(String job) {}

        @TokenBudget(idempotencyKey = "{key}", maxTokens = 300)
        void keyed(String key) {}

        @TokenBudget(tenant = "{tenant}", idempotencyKey = "{key}", maxTokens = 100)
        void keyedByTenant(String tenant, String key) {}

        @TokenBudget(tenant = "{tenant}", idempotencyKey = "{key}", maxTokens = 100)
        void another(String tenant, String key) {}

        @TokenBudget(user = "{user}", runId = "{chat}", limits = "150 tokens per 1h")
        void chat(String user, String chat) {}

        @TokenBudget(tenant = "{tenant}", maxTokens = 100, fallback = "cheaper")
        @Nullable
        String dear(String tenant) {
            return null;
        }

        @Nullable
        String cheaper(String tenant) {
            return Objects.requireNonNull(CHEAPER.get()).get();
        }

        @TokenBudget(
                tool = "{tool}",
                limits = {"300 tokens per 1h", "2 requests per 1m"})
        void limited(String tool) {}

        @TokenBudget(maxTokens = 100, fallback = "cached")
        String answered(String question) {
            return "";
        }

        String cached(String question, LimitExceededException refused) {
            return "cached " + question + " for " + refused.scope().replaceAll(":.*", "");
        }

        @TokenBudget(maxTokens = 100, fallback = "cachedLater")
        CompletionStage<String> later(String question) {
            return CompletableFuture.completedFuture("");
        }

        @TokenBudget(reserve = 300, fallback = "cachedLater")
        CompletionStage<String> heldLater(String question) {
            return CompletableFuture.completedFuture("");
        }

        CompletableFuture<String> cachedLater(String question) {
            return CompletableFuture.completedFuture("cached " + question);
        }
    }

    private CallMeter meter() {
        return metering.meter(CallerSource.of(null), RefusalFactory.OWN);
    }

    /** One call of a model that uses 100 tokens. */
    private void ask() {
        Frame frame = meter().open(new Object(), () -> ModelCall.of("gpt", 60, 40));
        RuntimeException refusal = frame.refusal();
        if (refusal != null) {
            throw refusal;
        }
        frame.succeed(Usage.of(60, 40), 0, null);
    }

    private void askTimes(int times) {
        for (int i = 0; i < times; i++) {
            ask();
        }
    }

    private @Nullable Object call(String name, Body body, Object... arguments) {
        Method method = Arrays.stream(Methods.class.getDeclaredMethods())
                .filter(each -> each.getName().equals(name) && each.isAnnotationPresent(TokenBudget.class))
                .findFirst()
                .orElseThrow();
        BudgetedMethod budgeted = BudgetedMethod.of(
                method, Methods.class, AnnotationValues.of(method.getAnnotation(TokenBudget.class)), ZoneOffset.UTC);
        try {
            return new MethodRuns(meter(), List.of()).call(budgeted, new Methods(), arguments, body);
        } catch (RuntimeException | Error unchecked) {
            throw unchecked;
        } catch (Throwable checked) {
            throw new AssertionError(checked);
        }
    }

    private void run(String name, Runnable body, Object... arguments) {
        call(
                name,
                () -> {
                    body.run();
                    return null;
                },
                arguments);
    }

    private long used(String scope) {
        return metering.report().budgets().stream()
                .filter(status -> status.scope().equals(scope) && status.unit().equals("tokens"))
                .mapToLong(BudgetStatus::used)
                .sum();
    }

    private static void refusedBy(Runnable call, String scope, String limit) {
        assertThatThrownBy(call::run).isInstanceOfSatisfying(LimitExceededException.class, refused -> {
            assertThat(refused.scope()).matches(scope);
            assertThat(refused.limit()).matches(limit);
        });
    }

    @Test
    void whoCallsIsWhatItSaysAndWhatTheConfigurationKnows() {
        run(
                "named",
                () -> {
                    assertThat(TokenBudgets.current().tenant()).isEqualTo("acme");
                    ask();
                    try (TokenBudgets.Scope narrower = TokenBudgets.open(
                            BudgetContext.builder().agent("reader").build())) {
                        assertThat(narrower).isNotNull();
                        ask();
                    }
                    run("bounded", this::ask);
                },
                "acme");
        run("named", this::ask, "");

        assertThat(used("tenant:acme")).isEqualTo(300);
        assertThat(used("tenant:nobody")).isEqualTo(100);
        assertThat(used("agent:planner")).isEqualTo(300);
        assertThat(used("agent:reader")).isEqualTo(100);
    }

    @Test
    void aRunEndsAtItsCeilingAndTheNextOneBeginsAnew() {
        for (int i = 0; i < 3; i++) {
            run("bounded", () -> refusedBy(() -> askTimes(4), "run:.+", "300 tokens"));
            ask();
        }
        assertThat(used("agent:planner")).isEqualTo(900);
        assertThat(used("agent:default")).isEqualTo(300);
    }

    @Test
    void theCeilingOfTheRunAroundStaysAndTheOneInsideIsItsOwn() {
        run("bounded", () -> {
            run("tighter", () -> refusedBy(() -> askTimes(2), "run:.+\\..+", "150 tokens"));
            run("tighter", this::ask);
            run("tighter", () -> {
                ask();
                refusedBy(this::ask, "run:.+", "150 tokens|300 tokens");
            });
            refusedBy(this::ask, "run:[^.]+", "300 tokens");
        });
    }

    @Test
    void aRunInsideWithAnotherNameIsStillBoundByTheRunAround() {
        metering = metering(YAML + RUN_ROW);
        run("bounded", () -> refusedBy(() -> run("renamed", () -> askTimes(4), "w"), "run:.+", "300 tokens"));
        run("renamed", () -> refusedBy(() -> run("job", () -> askTimes(4), "y"), "run:y", "300 tokens"), "x");
        assertThat(used("run:x")).isEqualTo(300);
        run(
                "renamed",
                () -> {
                    askTimes(5);
                    refusedBy(() -> run("renamed", () -> askTimes(3), "z"), "run:x", "1000 tokens");
                },
                "x");
    }

    @Test
    void theTighterOfTheCeilingAndTheConfiguredLimitHolds() {
        metering = metering(YAML + RUN_ROW.replace("1000", "200"));
        run("bounded", () -> refusedBy(() -> askTimes(3), "run:.+", "200 tokens"));
    }

    @Test
    void theConfiguredLimitThatACeilingStandsBesideIsThatOfTheCallersPlan() {
        metering = metering(YAML + RUN_ROW.replace("1000", "100") + "plans: {pro: {multiplier: 2}}\n");
        run("bounded", () -> refusedBy(() -> askTimes(2), "run:.+", "100 tokens"));
        try (TokenBudgets.Scope onPro =
                TokenBudgets.open(BudgetContext.builder().plan("pro").build())) {
            assertThat(onPro).isNotNull();
            run("bounded", () -> refusedBy(() -> askTimes(3), "run:.+", "200 tokens"));
        }
    }

    @Test
    void C7_attemptsUnderOneKeyShareOneRun() {
        run("keyed", () -> askTimes(2), "k");
        run("keyed", () -> refusedBy(() -> askTimes(2), "run:k@.*", "300 tokens"), "k");
        run("keyed", this::ask, "other");
    }

    @Test
    void C7_oneKeyOfTwoCallersOrOfTwoMethodsIsTwoRuns() {
        run("keyedByTenant", this::ask, "acme", "17");
        run("keyedByTenant", this::ask, "globex", "17");
        run("another", this::ask, "acme", "17");
        run("keyedByTenant", () -> refusedBy(this::ask, "run:17@.*", "100 tokens"), "acme", "17");
    }

    @Test
    void limitsBesideTheNameOfARunAreNotTheRuns() {
        run("chat", this::ask, "initech", "first");
        run("chat", () -> refusedBy(this::ask, "user:initech", "150 tokens per 1h"), "initech", "second");
    }

    @Test
    void whatTemplatesSayIsBounded() {
        String forged = "sha256." + "0".repeat(64);
        for (String said : List.of("x".repeat(100_000), "a\r\nb", forged)) {
            run("named", this::ask, said);
        }
        assertThat(metering.report().budgets())
                .extracting(BudgetStatus::scope)
                .filteredOn(scope -> scope.startsWith("tenant:") && !scope.equals("tenant:nobody"))
                .hasSize(3)
                .doesNotContain("tenant:" + forged)
                .allMatch(scope -> scope.matches("tenant:sha256\\.[0-9a-f]{64}"));
    }

    @Test
    void theFallbackWorksForTheSameCallerInsideOfTheRunAroundIt() {
        CHEAPER.set(() -> {
            ask();
            return TokenBudgets.current().tenant();
        });
        Body dear = () -> {
            askTimes(2);
            return "dear";
        };
        assertThat(call("dear", dear, "acme")).isEqualTo("acme");
        assertThat(used("tenant:acme")).isEqualTo(200);
        run("bounded", () -> {
            assertThat(call("dear", dear, "globex")).isEqualTo("globex");
            refusedBy(() -> call("dear", dear, "globex"), "run:.+", "300 tokens");
        });
        assertThat(used("tenant:globex")).isEqualTo(300);
    }

    @Test
    void limitsDeclaredInCodeHoldUnlessTheConfigurationSaysOtherwise() {
        run("limited", () -> refusedBy(() -> askTimes(3), "tool:search", "2 requests per 1m"), "search");
        run("limited", () -> refusedBy(() -> askTimes(6), "tool:known", "500 tokens per 1h"), "known");
        assertThat(used("tool:search")).isEqualTo(200);
        run("limited", () -> askTimes(4), "");
    }

    @Test
    void C10_theCeilingGoesWhereTheApplicationTakesTheContext() {
        run("bounded", () -> {
            Runnable task = TokenBudgets.wrap(() -> {
                assertThat(TokenBudgets.current().agent()).isEqualTo("planner");
                ask();
            });
            CompletableFuture.runAsync(task, pool).join();
            CompletableFuture.runAsync(this::ask, TokenBudgets.wrap(pool)).join();
            assertThat(CompletableFuture.supplyAsync(
                                    () -> TokenBudgets.current().run(), pool)
                            .join())
                    .as("nothing is left on the thread of the pool")
                    .isNull();
            ask();
            refusedBy(() -> onPool(TokenBudgets.wrap(this::ask)), "run:.+", "300 tokens");
        });
        onPool(this::ask);
        assertThat(used("agent:default")).isEqualTo(100);
    }

    @Test
    void C10_aContextThatAFrameworkCarriesBringsItsRun() {
        List<BudgetContext> carried = new ArrayList<>();
        run("bounded", () -> carried.add(TokenBudgets.current()));
        Run brought = meter().runIn(carried.get(0), null);
        for (int i = 0; i < 3; i++) {
            stream(brought).succeed(Usage.of(60, 40), 0, null);
        }
        assertThat(stream(brought).refusal())
                .isInstanceOfSatisfying(
                        LimitExceededException.class,
                        refused -> assertThat(refused.limit()).isEqualTo("300 tokens"));
    }

    private Frame stream(@Nullable Run run) {
        Frame frame = meter().openStream(new Object(), () -> ModelCall.of("gpt", 60, 40), run, null);
        frame.detach();
        return frame;
    }

    @Test
    void C10_aContextThatIsBroughtToAThreadOfAnotherRunComesFirst() {
        List<Runnable> brought = new ArrayList<>();
        run("bounded", () -> brought.add(TokenBudgets.wrap(() -> askTimes(3))));
        run(
                "named",
                () -> {
                    brought.get(0).run();
                    ask();
                    refusedBy(() -> TokenBudgets.wrap(brought.get(0)).run(), "run:.+", "300 tokens");
                },
                "acme");
        assertThat(used("agent:planner")).isEqualTo(400);
        assertThat(used("tenant:acme")).isEqualTo(100);
    }

    @Test
    void C10_whatRunsInsideATwiceOpenedRunOfAFrameworkBelongsToTheInnerOne() {
        run("bounded", () -> {
            Frame frame = meter().open(new Object(), () -> ModelCall.of("gpt", 60, 40));
            frame.endRound(Usage.of(60, 40), 0);
            frame.enterTools();
            run("tighter", () -> refusedBy(() -> askTimes(2), "run:.+\\..+", "150 tokens"));
            frame.exitTools();
            frame.succeed(null, 0, null);
            ask();
        });
        assertThat(used("agent:planner")).isEqualTo(300);
    }

    private void onPool(Runnable task) {
        try {
            CompletableFuture.runAsync(task, pool).join();
        } catch (CompletionException thrown) {
            throw thrown.getCause() instanceof RuntimeException cause ? cause : thrown;
        }
    }

    @SuppressWarnings("UnusedMethod")
    private interface Asking {
        default void ask() {}
    }

    @TokenBudget(agent = "first")
    private static final class First implements Asking {}

    @TokenBudget(agent = "second")
    private static final class Second implements Asking {}

    private static final class Unnamed implements Asking {}

    @Test
    void whatAMethodInheritsIsFoundForEachClassThatItIsCalledOn() throws Throwable {
        MethodRuns runs = new MethodRuns(meter(), List.of());
        Method method = Asking.class.getDeclaredMethod("ask");
        for (Asking target : List.of(new First(), new Second(), new Unnamed(), new First())) {
            runs.call(method, target, new Object[0], () -> {
                ask();
                return null;
            });
        }
        assertThat(used("agent:first")).isEqualTo(200);
        assertThat(used("agent:second")).isEqualTo(100);
        assertThat(used("agent:default")).isEqualTo(100);
    }

    @TokenBudget(agent = "type")
    @SuppressWarnings("UnusedMethod")
    private static class Typed {
        @TokenBudget(agent = "method")
        void named() {}

        void unnamed() {}

        static void still() {}
    }

    @TokenBudget(agent = "other-type")
    private static final class OtherType implements Asking {}

    private void called(Class<?> declaring, String name, @Nullable Object target, Runnable body) {
        try {
            new MethodRuns(meter(), List.of()).call(declaring.getDeclaredMethod(name), target, new Object[0], () -> {
                body.run();
                return null;
            });
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    @Test
    void whatATypeSaysIsForThoseWhoCallItAndNotForWhatItCallsOfItself() {
        Typed typed = new Typed();
        called(Typed.class, "unnamed", typed, this::ask);
        called(Typed.class, "still", null, this::ask);
        assertThat(used("agent:type")).isEqualTo(200);

        called(Typed.class, "named", typed, () -> {
            called(Typed.class, "unnamed", typed, this::ask);
            onPool(TokenBudgets.wrap(() -> called(Typed.class, "still", null, this::ask)));
        });
        assertThat(used("agent:method")).isEqualTo(200);

        called(Typed.class, "unnamed", typed, () -> called(Typed.class, "named", typed, this::ask));
        assertThat(used("agent:method")).isEqualTo(300);

        called(Typed.class, "named", typed, () -> called(Typed.class, "unnamed", new Typed(), this::ask));
        assertThat(used("agent:method")).as("another object is asked").isEqualTo(300);
        assertThat(used("agent:type")).isEqualTo(300);

        called(
                Typed.class,
                "named",
                typed,
                () -> called(
                        Asking.class,
                        "ask",
                        new OtherType(),
                        () -> called(Typed.class, "unnamed", new Typed(), this::ask)));
        assertThat(used("agent:type")).isEqualTo(400);
        assertThat(used("agent:other-type")).isZero();
    }

    @Test
    void aRefusalIsAnsweredByTheFallbackAndNothingElseIs() {
        assertThat(call("answered", () -> "asked", "tea")).isEqualTo("asked");
        assertThat(call(
                        "answered",
                        () -> {
                            askTimes(2);
                            return "asked";
                        },
                        "tea"))
                .isEqualTo("cached tea for run");
        assertThatThrownBy(() -> call(
                        "answered",
                        () -> {
                            throw new IllegalArgumentException("no tea");
                        },
                        "tea"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no tea");
    }

    @Test
    @SuppressWarnings("FutureReturnValueIgnored") // a result is an object here
    void aStageIsAnsweredByTheFallbackToo() {
        assertThat(stage(() -> CompletableFuture.completedFuture("asked")).join())
                .isEqualTo("asked");
        assertThat(stage(() -> CompletableFuture.supplyAsync(
                                () -> {
                                    throw new IllegalStateException(assertRefused());
                                },
                                TokenBudgets.wrap(pool)))
                        .join())
                .isEqualTo("cached tea");
    }

    @Test
    void whoeverGivesUpOnAStageWithAFallbackEndsItAndWhatIsHeldForIt() {
        CompletableFuture<String> cancelled = new CompletableFuture<>();
        assertThat(held(cancelled).cancel(true)).isTrue();
        assertThat(cancelled).isCancelled();

        CompletableFuture<String> tooLate = new CompletableFuture<>();
        held(tooLate).completeExceptionally(new TimeoutException("as orTimeout does"));
        assertThat(tooLate).isCompletedExceptionally();

        CompletableFuture<String> answered = new CompletableFuture<>();
        held(answered).complete("as completeOnTimeout does");
        assertThat(answered).isCompletedWithValue("as completeOnTimeout does");

        assertThat(metering.report().reservations().held()).isZero();
    }

    @SuppressWarnings("unchecked") // what a method returns is an object here
    private CompletableFuture<Object> held(CompletableFuture<String> own) {
        Object returned = call("heldLater", () -> own, "tea");
        assertThat(metering.report().reservations().held()).isEqualTo(1);
        return (CompletableFuture<Object>) Objects.requireNonNull(returned);
    }

    private RuntimeException assertRefused() {
        try {
            askTimes(2);
            throw new AssertionError("not refused");
        } catch (LimitExceededException refused) {
            return refused;
        }
    }

    private CompletableFuture<?> stage(Body body) {
        Object returned = call("later", body, "tea");
        assertThat(returned).isInstanceOf(CompletableFuture.class);
        return (CompletableFuture<?>) Objects.requireNonNull(returned);
    }
}
