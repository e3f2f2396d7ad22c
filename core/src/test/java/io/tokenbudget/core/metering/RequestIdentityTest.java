package io.tokenbudget.core.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.Usage;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.config.IdentitySource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@SuppressWarnings("try") // what is open is not looked at
@DisplayName("C10 who is calling, as the HTTP request says that is served")
class RequestIdentityTest {
    private static final String YAML = """
            identity:
              tenant: ["claim:tenant", "header:X-Tenant-Id", "mdc:tenant", "literal:none"]
              user: ["principal"]
              region: ["mdc:region", "header:X-Region"]
            budgets:
              - {scope: tenant, limits: ["1M tokens per 1h"]}
              - {scope: user, limits: ["1M tokens per 1h"]}
              - {scope: region, limits: ["1M tokens per 1h"]}
              - {scope: run, limits: ["1M tokens"]}
            """;

    private final List<String> notices = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();
    private final Map<String, String> mdc = new HashMap<>();
    private final DefaultTokenLimiter limiter =
            TokenLimiters.builder().yaml(YAML).build();
    private final Metering metering = new Metering(limiter, notices::add);
    private final CallMeter meter = metering.meter(
            new CallerSource() {
                @Override
                public BudgetContext current() {
                    return TokenBudgets.current();
                }

                @Override
                public @Nullable String value(IdentitySource source) {
                    return source.kind() == IdentitySource.Kind.MDC ? mdc.get(source.name()) : null;
                }
            },
            RefusalFactory.OWN);

    private BudgetContext request(Map<String, String> said) {
        return meter.request(source -> {
            asked.add(source.toString());
            return said.get(source.toString());
        });
    }

    private void call() {
        Frame frame = meter.open(new Object(), () -> ModelCall.of("gpt", 10, 1));
        assertThat(frame.refusal()).isNull();
        frame.succeed(Usage.of(10, 1), 0, null);
    }

    private List<String> charged() {
        assertThat(notices).isEmpty();
        return metering.report().budgets().stream()
                .filter(status -> status.used() > 0)
                .map(BudgetStatus::scope)
                .filter(scope -> !scope.startsWith("run:"))
                .toList();
    }

    @Test
    void eachConfiguredSourceIsAskedOnceWhenTheRequestIsServed() {
        try (TokenBudgets.Scope scope = TokenBudgets.open(request(Map.of("header:X-Tenant-Id", "acme")))) {
            call();
            call();
        }

        assertThat(asked)
                .containsExactlyInAnyOrder("claim:tenant", "header:X-Tenant-Id", "principal", "header:X-Region");
        assertThat(charged()).containsExactly("tenant:acme");
    }

    @Test
    @DisplayName(
            "What a request says later, once it is known who is logged in, stands beside what is carried along already")
    void whatARequestSaysLaterStandsBesideWhatIsCarriedAlready() {
        BudgetContext around =
                BudgetContext.builder().tenant("own").build().with(request(Map.of("header:X-Region", "north")));
        Map<String, String> known = Map.of("header:X-Region", "north", "principal", "ann", "claim:tenant", "other");

        Object carried = meter.carriedRequest(source -> known.get(source.toString()), around);
        assertThat(carried).isInstanceOfSatisfying(BudgetContext.class, context -> {
            try (TokenBudgets.Scope scope = TokenBudgets.open(context)) {
                call();
            }
        });

        assertThat(charged()).containsExactlyInAnyOrder("tenant:own", "region:north", "user:ann");
        assertThat(meter.carriedRequest(source -> null, around)).isNull();
    }

    @Test
    void aHeaderThatTheConfigurationDoesNotNameIsNeverRead() {
        assertThat(request(Map.of("header:X-Other", "acme"))).isSameAs(BudgetContext.EMPTY);
        assertThat(asked).doesNotContain("header:X-Other");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // claim, header, mdc, open, who
                "c, h, m, o, o",
                "c, h, m, -, c",
                "-, h, m, -, h",
                "-, -, m, -, m",
                "-, -, -, -, none",
                "' ', h, m, -, h",
            })
    void theOrderOfTheSourcesCountsAndWhatIsOpenComesFirst(
            @Nullable String claim,
            @Nullable String header,
            @Nullable String inMdc,
            @Nullable String open,
            String who) {
        Map<String, String> said = new HashMap<>();
        said.put("claim:tenant", claim == null ? "" : claim);
        said.put("header:X-Tenant-Id", header == null ? "" : header);
        if (inMdc != null) {
            mdc.put("tenant", inMdc);
        }
        BudgetContext explicit = open == null
                ? BudgetContext.EMPTY
                : BudgetContext.builder().tenant(open).build();

        try (TokenBudgets.Scope request = TokenBudgets.open(request(said));
                TokenBudgets.Scope inside = TokenBudgets.open(explicit)) {
            call();
        }

        assertThat(charged()).containsExactly("tenant:" + who);
    }

    @Test
    void anInnerContextNarrowsTheRequestAndLeavesTheRestToIt() {
        Map<String, String> said = Map.of("header:X-Tenant-Id", "acme", "principal", "ann");
        try (TokenBudgets.Scope request = TokenBudgets.open(request(said));
                TokenBudgets.Scope inside =
                        TokenBudgets.open(BudgetContext.builder().user("robot").build())) {
            call();
        }

        assertThat(charged()).containsExactly("tenant:acme", "user:robot");
    }

    @Test
    void anAnnotatedMethodComesBeforeTheRequestAndLeavesTheRestToIt() {
        try (TokenBudgets.Scope request =
                TokenBudgets.open(request(Map.of("header:X-Tenant-Id", "acme", "principal", "ann")))) {
            Run run = meter.begin(
                    RunTerms.of(BudgetContext.builder().tenant("globex").build()));
            try (RunScope scope = meter.show(run)) {
                call();
            }
        }

        assertThat(charged()).containsExactly("tenant:globex", "user:ann");
    }

    @Test
    void itGoesToOtherThreadsWithTheContext() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            CompletableFuture<Void> done;
            try (TokenBudgets.Scope request = TokenBudgets.open(request(Map.of("header:X-Tenant-Id", "acme")))) {
                done = CompletableFuture.runAsync(TokenBudgets.wrap((Runnable) this::call), pool);
                pool.submit(TokenBudgets.wrap(() -> {
                            call();
                            return null;
                        }))
                        .get();
                TokenBudgets.wrap(pool).execute(this::call);
            }
            done.get();
            pool.submit(() -> {}).get();
        } finally {
            pool.shutdown();
        }

        assertThat(charged()).containsExactly("tenant:acme");
        assertThat(metering.report().calls().metered()).isEqualTo(3);
    }

    @Test
    void itIsFoundWhereReactorCarriesTheContext() {
        BudgetContext carried = request(Map.of("header:X-Tenant-Id", "acme"));
        Run run = meter.runIn(carried, meter.origin());
        Frame frame = meter.openStream(new Object(), () -> ModelCall.of("gpt", 10, 1), run, null);
        frame.succeed(Usage.of(10, 1), 0, null);

        assertThat(charged()).containsExactly("tenant:acme");
    }

    @Test
    void theDiagnosticContextOfAPooledThreadDoesNotTakeARunFromItsRequest() {
        Run run;
        try (TokenBudgets.Scope request = TokenBudgets.open(request(Map.of("header:X-Tenant-Id", "acme")))) {
            run = meter.origin();
        }
        Run before = meter.enterRun(run);
        mdc.put("tenant", "somebody-else");
        call();
        meter.leaveRun(before);

        assertThat(charged()).containsExactly("tenant:acme");
    }

    @Test
    void theLimiterItselfReadsTheRequestOfTheContextItIsGiven() {
        limiter.reserve(ReservationRequest.builder()
                .context(request(Map.of("header:X-Tenant-Id", "acme")))
                .inputTokens(5)
                .outputTokens(5)
                .build());

        assertThat(metering.report().budgets())
                .filteredOn(status -> status.held() > 0)
                .extracting(BudgetStatus::scope)
                .containsExactly("tenant:acme");
    }

    @Test
    void C9_aRequestThatCannotBeReadSaysNothing() {
        assertThat(meter.request(source -> {
                    throw new IllegalStateException("the request has been recycled");
                }))
                .isSameAs(BudgetContext.EMPTY);
        assertThat(notices).singleElement().asString().contains("while reading who is calling");
    }

    @Test
    void C9_aHostileValueIsChargedUnderItsDigestAndBreaksNothing() {
        try (TokenBudgets.Scope request = TokenBudgets.open(
                request(Map.of("header:X-Tenant-Id", "acme\r\nX: y", "principal", "p".repeat(100_000))))) {
            call();
        }

        assertThat(charged())
                .hasSize(2)
                .allSatisfy(scope -> assertThat(scope).matches("(tenant|user):sha256\\.[0-9a-f]{64}"));
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // sources, open, request, mdc, who is known to ask
                "'mdc:tenant, header:X-Tenant-Id', -, h, -, h",
                "'mdc:tenant, header:X-Tenant-Id', -, h, m, m",
                "'mdc:tenant, header:X-Tenant-Id', o, h, m, o",
                "'header:X-Tenant-Id, literal:everybody', -, -, -, -",
                "'literal:everybody, header:X-Tenant-Id', -, h, -, -",
                "'property:java.version, header:X-Tenant-Id', -, h, -, -",
                "'env:PATH, header:X-Tenant-Id', -, h, -, -",
                "'property:nope, header:X-Tenant-Id', -, h, -, h",
            })
    void whatTheProcessSaysIsKnownOfNoCaller(
            String sources,
            @Nullable String open,
            @Nullable String header,
            @Nullable String inMdc,
            @Nullable String known) {
        CallMeter ofTenants = new Metering(
                        TokenLimiters.builder()
                                .yaml("identity: {tenant: [\"" + sources.replace(", ", "\",\"") + "\"]}")
                                .build(),
                        notices::add)
                .meter(
                        new CallerSource() {
                            @Override
                            public BudgetContext current() {
                                return TokenBudgets.current();
                            }

                            @Override
                            public @Nullable String value(IdentitySource source) {
                                return inMdc;
                            }
                        },
                        RefusalFactory.OWN);
        BudgetContext request = ofTenants.request(source -> header);
        BudgetContext explicit = open == null
                ? BudgetContext.EMPTY
                : BudgetContext.builder().tenant(open).build();

        try (TokenBudgets.Scope served = TokenBudgets.open(request);
                TokenBudgets.Scope inside = TokenBudgets.open(explicit)) {
            assertThat(ofTenants.asker().tenant()).isEqualTo(known);
        }
        if (open == null && inMdc == null) {
            assertThat(ofTenants.asker(request).tenant()).isEqualTo(known);
        }
    }
}
