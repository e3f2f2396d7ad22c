package io.tokenbudget.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.ReservationRequest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("remaining(scope): scopes are written as in the configuration")
class RemainingByScopeTest {
    private final DefaultTokenLimiter limiter =
            TokenLimiters.builder().yaml("""
                    budgets:
                      - {scope: agent, limits: 100 tokens}
                      - {scope: project, limits: 200 tokens}
                      - {scope: model, limits: 300 tokens}
                      - {scope: tenant/agent, limits: 400 tokens}
                      - {scope: region/model, limits: 500 tokens}
                      - {scope: global, limits: ["600 tokens", "1k tokens per 1h", "5 requests"]}
                    """).build();

    @ParameterizedTest
    @CsvSource({
        "agent:planner, 90",
        "agent:other, 100",
        "project:octo%2Fhello, 190",
        "model:meta/llama-3:free, 290",
        "tenant:acme/agent:planner, 390",
        "agent:planner/tenant:acme, 390",
        "region:eu/model:meta/llama-3:free, 490",
        "model:meta/llama-3:free/region:eu, 490",
        "global, 590",
        "user:nobody, 9223372036854775807",
    })
    void isTheTightestTokenLimitOfThatScope(String scope, long remaining) {
        limiter.reserve(ReservationRequest.builder()
                .context(BudgetContext.builder()
                        .agent("planner")
                        .tenant("acme")
                        .project("octo/hello")
                        .dimension("region", "eu")
                        .build())
                .model("meta/llama-3:free")
                .outputTokens(10)
                .build());
        assertThat(limiter.remaining(scope)).isEqualTo(remaining);
    }

    @Test
    void everyScopeOfTheStatusCanBeAskedFor() {
        limiter.reserve(ReservationRequest.builder()
                .context(BudgetContext.builder()
                        .agent("a/b:c%2F")
                        .tenant("x/agent:y")
                        .dimension("region", "eu/west")
                        .build())
                .model("meta/llama-3:free")
                .outputTokens(10)
                .build());
        assertThat(limiter.status()).hasSize(7).allSatisfy(status -> {
            if (status.unit().equals("tokens") && !status.scope().equals("global")) {
                assertThat(limiter.remaining(status.scope())).isEqualTo(status.remaining());
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent", "tenant:acme/agent", "agnt:planner", "agent:", "", "global:x"})
    void refusesWhatNamesNoSingleBudget(String scope) {
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.remaining(scope));
    }
}
