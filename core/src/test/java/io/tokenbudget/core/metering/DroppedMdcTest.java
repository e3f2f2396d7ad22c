package io.tokenbudget.core.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.config.IdentitySource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("C10 context: a logging backend without an MDC is named, once, where budgets go by it")
class DroppedMdcTest {
    private static final CallerSource SLF4J_NOP = CallerSource.of(DroppedMdcTest.class.getClassLoader());

    private final List<String> notices = new ArrayList<>();

    private void twoCalls(CallerSource caller, String yaml) {
        Metering metering = new Metering(TokenLimiters.builder().yaml(yaml).build(), notices::add);
        CallMeter meter = metering.meter(caller, RefusalFactory.OWN);
        for (int i = 0; i < 2; i++) {
            meter.open(this, () -> ModelCall.of("m", 10, 10)).fail(Failure.REJECTED, 0);
        }
        assertThat(metering.report().calls().metered()).isEqualTo(2);
    }

    @Test
    void isSaidOfTheDefaultSourceOfTenants() {
        twoCalls(SLF4J_NOP, "budgets: [{scope: tenant, limits: [1M tokens per 1h]}]");

        assertThat(notices)
                .containsExactly("nothing is found at mdc:tenant: the application's logging backend keeps no MDC"
                        + " (Logback and Log4j do)");
    }

    @Test
    void isSaidOfAllSourcesThatBudgetsGoBy() {
        twoCalls(SLF4J_NOP, """
                identity:
                  tenant: ["env:NO_SUCH_VARIABLE", "mdc:customer", "literal:none"]
                  region: "mdc:region"
                  user: "mdc:userName"
                budgets:
                  - scope: tenant/region
                    limits: [1M tokens per 1h]
                """);

        assertThat(notices).singleElement().asString().startsWith("nothing is found at mdc:customer, mdc:region: ");
    }

    @Test
    void isNotSaidWhereNoBudgetGoesByIt() {
        twoCalls(SLF4J_NOP, "budgets: [{scope: agent, limits: [1M tokens per 1h]}]");

        assertThat(notices).isEmpty();
    }

    @Test
    void isNotSaidWhereTheApplicationSaysWhoCalls() {
        twoCalls(
                new CallerSource() {
                    @Override
                    public BudgetContext current() {
                        return BudgetContext.builder().tenant("acme").build();
                    }

                    @Override
                    public @Nullable String value(IdentitySource source) {
                        return null;
                    }

                    @Override
                    public boolean dropsMdc() {
                        return true;
                    }
                },
                "budgets: [{scope: tenant, limits: [1M tokens per 1h]}]");

        assertThat(notices).isEmpty();
    }

    @Test
    void isNotSaidOfABackendThatKeepsOne() {
        twoCalls(
                new CallerSource() {
                    @Override
                    public BudgetContext current() {
                        return BudgetContext.EMPTY;
                    }

                    @Override
                    public @Nullable String value(IdentitySource source) {
                        return null;
                    }
                },
                "budgets: [{scope: tenant, limits: [1M tokens per 1h]}]");

        assertThat(notices).isEmpty();
    }

    @Test
    void isNotAskedOfAnApplicationWithoutSlf4j() {
        assertThat(Mdc.seenBy(null).isDropped()).isFalse();
        assertThat(Mdc.seenBy(getClass().getClassLoader()).isDropped()).isTrue();
    }
}
