package io.tokenbudget.core.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.Usage;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.config.IdentitySource.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@SuppressWarnings("try") // what is open is not looked at
@DisplayName("C10 who is calling, as the call says that the application makes of a framework")
class CallIdentityTest {
    private static final String YAML = """
            identity:
              tenant: ["header:X-Tenant", "invocation:tenant", "mdc:tenant", "literal:none"]
              user: ["mdc:user", "memoryId", "literal:nobody"]
            budgets:
              - {scope: tenant, limits: ["1M tokens per 1h"]}
              - {scope: user, limits: ["1M tokens per 1h"]}
              - {scope: run, limits: ["1M tokens"]}
            """;

    private @Nullable String mdcTenant;
    private @Nullable String mdcUser;
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
                public Scope open(BudgetContext context) {
                    return TokenBudgets.open(context)::close;
                }

                @Override
                public @Nullable String value(IdentitySource source) {
                    return source.name().equals("tenant") ? mdcTenant : mdcUser;
                }
            },
            RefusalFactory.OWN);

    private static Function<IdentitySource, @Nullable String> says(@Nullable String tenant, @Nullable String memory) {
        return source -> source.kind() == Kind.MEMORY_ID ? memory : tenant;
    }

    private void call() {
        Frame frame = meter.open(new Object(), () -> ModelCall.of("gpt", 10, 1));
        frame.succeed(Usage.of(10, 1), 0, null);
    }

    private BudgetContext request(String tenant) {
        return meter.request(source -> tenant);
    }

    private List<String> charged() {
        assertThat(notices).isEmpty();
        return metering.report().budgets().stream()
                .filter(status -> status.used() > 0)
                .map(BudgetStatus::scope)
                .filter(scope -> !scope.startsWith("run:"))
                .toList();
    }

    private long runs() {
        return metering.report().budgets().stream()
                .filter(status -> status.scope().startsWith("run:"))
                .count();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // around, what the call says, what the thread says | who
                "nothing,    acme, 7, -, -,   acme, 7",
                "nothing,    acme, 7, m, m,   acme, m",
                "nothing,    -,    -, m, -,   m,    nobody",
                "run,        acme, 7, -, -,   acme, 7",
                "run,        acme, 7, m, m,   acme, m",
                "run,        -,    7, m, -,   m,    7",
                "annotated,  acme, 7, -, -,   acme, 7",
                "annotated,  -,    7, m, -,   m,    7",
                "context,    acme, 7, m, -,   open, 7",
                "annotation, acme, 7, m, -,   open, 7",
                "inner,      acme, 7, m, -,   open, 7",
                "request,    acme, 7, m, -,   head, 7",
            })
    void whatTheApplicationNamesComesFirstThenTheSourcesInTheirOrder(
            String around,
            @Nullable String tenant,
            @Nullable String memory,
            @Nullable String mdcTenant,
            @Nullable String mdcUser,
            String whichTenant,
            String whichUser) {
        this.mdcTenant = mdcTenant;
        this.mdcUser = mdcUser;
        BudgetContext open = BudgetContext.builder().tenant("open").build();
        Runnable service = () -> {
            Run run = meter.openRun(says(tenant, memory));
            call();
            call();
            meter.closeRun(run);
        };
        switch (around) {
            case "run" -> {
                Run run = meter.openRun();
                service.run();
                meter.closeRun(run);
            }
            case "annotated" -> {
                try (RunScope scope = meter.show(meter.begin(RunTerms.of(BudgetContext.EMPTY)))) {
                    service.run();
                }
            }
            case "context" -> {
                try (TokenBudgets.Scope scope = TokenBudgets.open(open)) {
                    service.run();
                }
            }
            case "annotation" -> {
                try (RunScope scope = meter.show(meter.begin(RunTerms.of(open)))) {
                    service.run();
                }
            }
            case "inner" -> {
                try (RunScope outer = meter.show(meter.begin(RunTerms.of(BudgetContext.EMPTY)));
                        TokenBudgets.Scope scope = TokenBudgets.open(open)) {
                    service.run();
                }
            }
            case "request" -> {
                try (TokenBudgets.Scope scope = TokenBudgets.open(request("head"))) {
                    service.run();
                }
            }
            default -> service.run();
        }

        assertThat(charged()).containsExactlyInAnyOrder("tenant:" + whichTenant, "user:" + whichUser);
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void theTermsOfAnAnnotatedServiceComeBeforeWhatItsCallSays() {
        BudgetContext open = BudgetContext.builder().tenant("open").build();
        try (RunScope scope = meter.show(meter.begin(RunTerms.of(open), says("acme", "7")))) {
            call();
        }

        assertThat(charged()).containsExactly("tenant:open", "user:7");
    }

    @Test
    void whatACallSaysIsForgottenWithIt() {
        Run around = meter.openRun();
        Run service = meter.openRun(says("acme", "7"));
        assertThat(meter.openRun(says("acme", "7")))
                .as("an inner layer of the same call opens another part of the same run")
                .satisfies(inner -> {
                    call();
                    meter.closeRun(inner);
                });
        meter.closeRun(service);
        assertThat(charged()).containsExactly("tenant:acme", "user:7");
        call();
        meter.closeRun(around);

        assertThat(charged()).containsExactly("tenant:acme", "tenant:none", "user:7", "user:nobody");
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void whatACallSaysHoldsForAllItsRoundsOnOtherThreads() throws Exception {
        Run service = meter.openRun(says("acme", "7"));
        Run carried = meter.currentRun();
        meter.closeRun(service);
        Thread pooled = new Thread(() -> {
            Run before = meter.enterRun(carried);
            call();
            meter.leaveRun(before);
        });
        pooled.start();
        pooled.join();

        assertThat(charged()).containsExactly("tenant:acme", "user:7");
    }

    @Test
    void aRequestThatReactorCarriesIsToldToARunThatWasBegunWithoutIt() {
        mdcTenant = "of-the-last-request";
        mdcUser = "of-this-one";
        Run assembled = meter.origin();
        mdcUser = "of-another-one";
        Run run = meter.runIn(request("head"), assembled);
        Frame frame = meter.openStream(new Object(), () -> ModelCall.of("gpt", 10, 1), run, null);
        frame.succeed(Usage.of(10, 1), 0, null);

        assertThat(charged()).containsExactly("tenant:head", "user:of-this-one");
    }
}
