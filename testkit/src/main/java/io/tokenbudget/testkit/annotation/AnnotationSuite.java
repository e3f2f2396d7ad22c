package io.tokenbudget.testkit.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/**
 * What {@code @TokenBudget} means, whatever adapter brings the calls of a method there. Each adapter makes a {@link Planner} in
 * its own way and runs this under {@link #BUDGETS}.
 */
public abstract class AnnotationSuite {
    /** The configuration that it runs under: {@code budgets.yaml} beside this class. */
    public static final String BUDGETS = read("budgets.yaml");

    private static final int TENANTS = 20;
    private static final int CALLS = 10;

    private final ExecutorService pool = Executors.newFixedThreadPool(8);
    private BudgetsSnapshot before = new BudgetsSnapshot(
            List.of(), new BudgetsSnapshot.Reservations(0, 0, 0, 0, 0), new BudgetsSnapshot.Calls(0, 0, 0));

    private static String read(String resource) {
        try (InputStream yaml = AnnotationSuite.class.getResourceAsStream(resource)) {
            if (yaml == null) {
                throw new IllegalStateException(resource + " is missing beside " + AnnotationSuite.class);
            }
            return new String(yaml.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The application, as its users get it: an {@link AnnotatedPlanner} that the adapter sees. */
    protected abstract Planner planner();

    /** Asks the model of {@link #planner} once, outside of any method that is annotated. */
    protected abstract String askOutside();

    /** The budgets now. */
    protected abstract BudgetsSnapshot budgets();

    /** Makes a {@link WronglyAnnotated} and calls it, if its application starts at all; throws what comes of it. */
    protected abstract void useWronglyAnnotated() throws Exception;

    /** Reads what is booked before. */
    @BeforeEach
    protected final void readWhatIsBookedBefore() {
        before = budgets();
    }

    /** Nothing is left of a call. */
    @AfterEach
    protected final void nothingIsLeftOfACall() {
        pool.shutdown();
        assertThat(TokenBudgets.current()).isSameAs(BudgetContext.EMPTY);
        assertThat(budgets().held()).isZero();
        Map<String, Long> nobody = booked("agent", AnnotationSuite::askUnnoticed);
        assertThat(nobody).containsExactly(Map.entry("agent:nobody", Model.TOKENS));
    }

    private static void askUnnoticed(AnnotationSuite suite) {
        String unused = suite.askOutside();
    }

    /** What {@code action} has added to the budgets of {@code dimension}, by scope. */
    private Map<String, Long> booked(String dimension, Consumer<AnnotationSuite> action) {
        before = budgets();
        action.accept(this);
        return booked(dimension);
    }

    private Map<String, Long> booked(String dimension) {
        Map<String, Long> earlier = tokens(before);
        Map<String, Long> added = new LinkedHashMap<>();
        tokens(budgets()).forEach((scope, tokens) -> {
            long more = tokens - earlier.getOrDefault(scope, 0L);
            if (scope.startsWith(dimension + ":") && more != 0) {
                added.put(scope, more);
            }
        });
        return added;
    }

    private static Map<String, Long> tokens(BudgetsSnapshot budgets) {
        Map<String, Long> used = new LinkedHashMap<>();
        for (BudgetsSnapshot.Entry entry : budgets.budgets()) {
            if (entry.unit().equals("tokens")) {
                used.merge(entry.scope(), entry.used(), Math::max);
            }
        }
        return used;
    }

    private static void refused(Callable<?> call, String scope, String limit) {
        Throwable thrown = catchThrowable(call::call);
        Throwable cause = thrown;
        while (cause != null && !(cause instanceof LimitExceededException)) {
            cause = cause.getCause();
        }
        assertThat(cause)
                .as("among the causes of %s", thrown)
                .isInstanceOfSatisfying(LimitExceededException.class, refusal -> {
                    assertThat(refusal.scope()).matches(scope);
                    assertThat(refusal.limit()).isEqualTo(limit);
                });
    }

    @Test
    @DisplayName("The calls inside belong to whom the annotation names")
    void callsBelongToWhomTheAnnotationNames() {
        String unused = planner().named("acme");
        assertThat(booked("agent")).containsExactly(Map.entry("agent:named", Model.TOKENS));
        assertThat(booked("tenant")).containsExactly(Map.entry("tenant:acme", Model.TOKENS));
    }

    @Test
    @DisplayName("What an interface says holds for what implements it")
    void whatAnInterfaceSaysHoldsForWhatImplementsIt() {
        String unused = planner().contract(new Order("acme", Map.of("user", "u-1")));
        assertThat(booked("agent")).containsExactly(Map.entry("agent:contract", Model.TOKENS));
        assertThat(booked("tenant")).containsExactly(Map.entry("tenant:acme", Model.TOKENS));
        assertThat(booked("user")).containsExactly(Map.entry("user:u-1", Model.TOKENS));
    }

    @Test
    @DisplayName("What a class says holds for its methods that say nothing")
    void whatAClassSaysHoldsForItsMethods() {
        String unused = planner().ofType();
        assertThat(booked("agent")).containsExactly(Map.entry("agent:of-type", Model.TOKENS));
    }

    @Test
    @DisplayName("Default methods, void and primitive results are runs too")
    void everyShapeOfMethodIsARun() {
        Planner planner = planner();
        String unused = planner.byDefault();
        planner.nothing();
        assertThat(planner.primitive(2, 0.5)).isPositive();
        Map<String, Long> booked = booked("agent");
        assertThat(booked).containsEntry("agent:nothing", Model.TOKENS);
        assertThat(booked).containsEntry("agent:primitive", 2 * Model.TOKENS);
        assertThat(booked.getOrDefault("agent:by-default", 0L) + booked.getOrDefault("agent:of-type", 0L))
                .isEqualTo(Model.TOKENS);
    }

    @Test
    @DisplayName("R2: a run ends at its ceiling, and the next one begins anew")
    void aRunEndsAtItsCeilingAndTheNextBeginsAnew() {
        Planner planner = planner();
        for (int i = 0; i < 3; i++) {
            refused(() -> planner.bounded(4), "run:.+", "300 tokens");
        }
        assertThat(booked("agent")).containsExactly(Map.entry("agent:bounded", 9 * Model.TOKENS));
    }

    @Test
    @DisplayName("A run ends at its ceiling in money too")
    void aRunEndsAtItsCeilingInMoney() {
        refused(() -> planner().costly(4), "run:.+", "$0.30");
        assertThat(booked("agent")).containsExactly(Map.entry("agent:costly", 3 * Model.TOKENS));
    }

    @Test
    @DisplayName("A method inside another narrows, and both ceilings hold")
    void bothCeilingsHold() {
        Planner planner = planner();
        assertThatCode(() -> planner.around(1, 1, 1)).doesNotThrowAnyException();
        refused(() -> planner.around(0, 2, 0), "run:.+", "150 tokens");
        refused(() -> planner.around(2, 1, 1), "run:.+", "300 tokens");
        refused(() -> planner.around(3, 1, 0), "run:.+", "300 tokens");
        assertThat(booked("agent")).containsExactly(Map.entry("agent:around", 10 * Model.TOKENS));
    }

    @Test
    @DisplayName("A run inside with another name stays bound by the run around it")
    void namingIsNoWayOutOfACeiling() {
        refused(() -> planner().aroundRenamed("other", 4), "run:.+", "300 tokens");
    }

    @Test
    @DisplayName("C7: repeats under one key share one run")
    void repeatsUnderOneKeyShareOneRun() {
        Planner planner = planner();
        String unused = planner.keyed("suite-key", 2);
        refused(() -> planner.keyed("suite-key", 2), "run:suite-key@.+", "300 tokens");
        assertThatCode(() -> planner.keyed("suite-other-key", 1)).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("Limits declared in code hold for the narrowest that is named")
    void limitsDeclaredInCodeHold() {
        Planner planner = planner();
        for (int i = 0; i < Planner.LIMITED_REQUESTS; i++) {
            String unused = planner.limited("suite-tool");
        }
        refused(() -> planner.limited("suite-tool"), "tool:suite-tool", "2 requests per 1h");
        assertThatCode(() -> planner.limited("suite-other-tool")).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("A refusal is answered by the fallback, now or later; nothing else is")
    void aRefusalIsAnsweredByTheFallback() throws Exception {
        Planner planner = planner();
        assertThat(planner.answered(1)).isPositive();
        assertThat(planner.answered(2)).isEqualTo(-2);
        assertThat(planner.stage(pool, 1).toCompletableFuture().get()).isNotEqualTo("later");
        assertThat(planner.stage(pool, 2).toCompletableFuture().get()).isEqualTo("later");
        assertThat(planner.mono("acme", 1).block()).isNotEqualTo("later");
        assertThat(planner.mono("acme", 2).block()).isEqualTo("later");
        assertThat(booked("agent"))
                .containsOnly(
                        Map.entry("agent:answered", 2 * Model.TOKENS),
                        Map.entry("agent:stage", 2 * Model.TOKENS),
                        Map.entry("agent:mono", 2 * Model.TOKENS));
    }

    @Test
    @DisplayName("C10: what is returned before its work is done goes on in its run, however often it is subscribed to")
    void workThatGoesOnLaterIsInTheRun() {
        Flux<String> answers = planner().flux(2);
        assertThat(booked("agent")).isEmpty();
        assertThat(answers.collectList().block()).hasSize(2);
        refused(() -> answers.collectList().block(), "run:.+", "300 tokens");
        assertThat(booked("agent")).containsExactly(Map.entry("agent:flux", 3 * Model.TOKENS));
    }

    @Test
    @DisplayName("R1: what is to be held up front is held before the method is called, and spent by the calls inside")
    void whatIsHeldUpFrontIsSpentByTheCallsInside() {
        Planner planner = planner();
        List<Long> held = new ArrayList<>();
        String unused = planner.held(1, () -> held.add(held("agent:held")));
        assertThat(held).containsExactly(Planner.HELD - Model.TOKENS);
        assertThat(held("agent:held")).isZero();
        assertThat(planner.held(0, () -> {
                    assertThat(planner.held(2, () -> held.add(held("agent:held"))))
                            .isNotEmpty();
                    held.add(held("agent:held"));
                }))
                .isEqualTo("none");
        assertThat(held)
                .as("a run inside draws from what the run around holds, and gives back")
                .containsExactly(
                        Planner.HELD - Model.TOKENS, Planner.HELD - 2 * Model.TOKENS, Planner.HELD - 2 * Model.TOKENS);
        held.clear();
        refused(() -> planner.held(1, () -> held.add(0L)), "agent:held", "400 tokens per 1h");
        assertThat(held).as("the method was not called").isEmpty();
        assertThat(booked("agent")).containsExactly(Map.entry("agent:held", 3 * Model.TOKENS));
    }

    @Test
    @DisplayName("What is held up front goes back when what was returned has ended, however that ends")
    void whatIsHeldUpFrontGoesBackWhenTheWorkHasEnded() throws Exception {
        Planner planner = planner();
        assertThat(planner.heldStage(pool, 2).toCompletableFuture().get()).isNotEqualTo("later");
        assertThat(held("agent:held-stage")).isZero();
        assertThat(planner.heldStage(pool, 1).toCompletableFuture().get()).isEqualTo("later");
        assertThat(planner.heldMono(2).block()).isNotEqualTo("later");
        assertThat(planner.heldMono(1).block())
                .as("the fallback holds nothing up front")
                .isEqualTo("later");
        Flux<String> answers = planner.heldFlux(2);
        assertThat(held("agent:held-flux")).isZero();
        assertThat(answers.doOnNext(
                                answer -> assertThat(held("agent:held-flux")).isEqualTo(Planner.HELD - Model.TOKENS))
                        .take(1)
                        .collectList()
                        .block())
                .hasSize(1);
        assertThat(held("agent:held-flux")).isZero();
        assertThat(answers.collectList().block()).hasSize(2);
        assertThat(held("agent:held-flux")).isZero();
        refused(() -> answers.collectList().block(), "agent:held-flux", "400 tokens per 1h");
        assertThat(booked("agent"))
                .containsOnly(
                        Map.entry("agent:held-stage", 2 * Model.TOKENS),
                        Map.entry("agent:held-mono", 2 * Model.TOKENS),
                        Map.entry("agent:held-flux", 3 * Model.TOKENS));
    }

    private long held(String scope) {
        return budgets().budgets().stream()
                .filter(entry -> entry.scope().equals(scope) && entry.unit().equals("tokens"))
                .mapToLong(BudgetsSnapshot.Entry::held)
                .max()
                .orElse(0);
    }

    @Test
    @DisplayName("C1: usage that a method returns is charged where no call inside of it was, and only there")
    void usageThatAMethodReturnsIsChargedWhereNoCallInsideWas() {
        Planner planner = planner();
        assertThat(planner.spent(70, 0).total()).isEqualTo(70);
        assertThat(booked("agent")).containsExactly(Map.entry("agent:spent", 70L));
        assertThat(planner.spent(0, 0).total()).isZero();
        assertThat(planner.total().total()).isEqualTo(100);
        assertThat(planner.spent(999, 1).total()).isEqualTo(999);
        assertThat(booked("agent")).containsExactly(Map.entry("agent:spent", 70 + Model.TOKENS));
        assertThat(held("agent:spent")).isZero();
    }

    @Test
    @DisplayName("What the method throws reaches the caller as it is, and what was used stays booked")
    void whatTheMethodThrowsReachesTheCaller() {
        RuntimeException own = new IllegalStateException("the application's own");
        assertThat(catchThrowable(() -> planner().throwing(own))).isSameAs(own);
        assertThat(booked("agent")).containsExactly(Map.entry("agent:throwing", Model.TOKENS));
    }

    @Test
    @DisplayName("The application sees who is calling, inside of the method alone")
    void theApplicationSeesWhoIsCalling() {
        assertThat(planner().shown()).isEqualTo("shown seen visible");
    }

    @Test
    @DisplayName("A context that the application has open is narrowed, and is there again afterwards")
    void aContextAroundIsNarrowed() {
        BudgetContext around =
                BudgetContext.builder().tenant("around").agent("outer").build();
        try (TokenBudgets.Scope open = TokenBudgets.open(around)) {
            assertThat(open).isNotNull();
            String unused = planner().bounded(1);
            assertThat(TokenBudgets.current()).isEqualTo(around);
        }
        assertThat(booked("agent")).containsExactly(Map.entry("agent:bounded", Model.TOKENS));
        assertThat(booked("tenant")).containsExactly(Map.entry("tenant:around", Model.TOKENS));
    }

    @Test
    @DisplayName("C10: many tenants at once, and no call is booked on another's")
    void manyTenantsAtOnceDoNotMeet() throws InterruptedException, ExecutionException {
        Planner planner = planner();
        List<Future<?>> calls = new ArrayList<>();
        for (int i = 0; i < TENANTS * CALLS; i++) {
            String tenant = "suite-" + i % TENANTS;
            boolean later = i / TENANTS % 2 == 0;
            calls.add(pool.submit(() -> later ? planner.mono(tenant, 1).block() : planner.named(tenant)));
        }
        for (Future<?> call : calls) {
            assertThat(call.get()).isNotEqualTo("later");
        }
        Map<String, Long> booked = booked("tenant");
        assertThat(booked).hasSize(TENANTS).allSatisfy((tenant, tokens) -> {
            assertThat(tenant).startsWith("tenant:suite-");
            assertThat(tokens).isEqualTo(CALLS * Model.TOKENS);
        });
    }

    @Test
    @DisplayName("Wrong use is an error that names class, method, what was found and what is allowed")
    void wrongUseIsAnErrorThatNamesEverything() {
        Throwable thrown = catchThrowable(this::useWronglyAnnotated);
        StringBuilder messages = new StringBuilder();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            messages.append(cause).append('\n');
        }
        assertThat(messages.toString())
                .contains("@TokenBudget on io.tokenbudget.testkit.annotation.WronglyAnnotated.ask(String)")
                .contains("found tenant = \"{order.tenantId}\": no parameter order; allowed: question");
    }
}
