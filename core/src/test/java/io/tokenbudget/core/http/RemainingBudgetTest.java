package io.tokenbudget.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What an answer says of what is left: the caller's own budgets, by looking them up")
class RemainingBudgetTest {
    private final DefaultTokenLimiter limiter = TokenLimiters.builder()
            .clock(InstantSource.fixed(Instant.parse("2026-01-01T00:30:00Z")))
            .yaml("""
                    identity: {user: "header:X-User"}
                    budgets:
                      - {scope: tenant, limits: ["100 tokens per 1h", "3 concurrent"]}
                      - {scope: tenant:free, limits: ["unlimited"]}
                      - {scope: tenant/user, limits: ["50 requests per calendar day"]}
                      - {scope: tenant/agent, limits: ["40 tokens per 1h"]}
                      - {scope: agent, limits: ["41 tokens per 1h"]}
                      - {scope: global, limits: ["4200 tokens per 1h"]}
                    """)
            .build();
    private final CallMeter meter =
            new Metering(limiter, notice -> {}).meter(CallerSource.of(getClass().getClassLoader()), RefusalFactory.OWN);

    private static Asker asker(String tenant, String user) {
        return Asker.of(BudgetContext.builder()
                .tenant(tenant)
                .user(user)
                .agent("planner")
                .build());
    }

    @Test
    void eachLimitOfEachOwnBudgetIsAnItem() {
        limiter.reserve(ReservationRequest.builder()
                .context(BudgetContext.builder().tenant("acme").user("ann").build())
                .inputTokens(20)
                .outputTokens(10)
                .build());

        assertThat(RemainingBudget.fields(meter, asker("acme", "ann")))
                .containsExactly(
                        Map.entry(
                                "RateLimit",
                                "\"tenant-tokens-1h\";r=70, \"tenant-concurrent\";r=2,"
                                        + " \"tenant/user-requests-calendar-day\";r=49"),
                        Map.entry(
                                "RateLimit-Policy",
                                "\"tenant-tokens-1h\";q=100;qu=\"tokens\";w=3600,"
                                        + " \"tenant-concurrent\";q=3;qu=\"concurrent-requests\","
                                        + " \"tenant/user-requests-calendar-day\";q=50;w=86400"));
    }

    @Test
    void whatIsUsedSaysWhenItIsGivenBack() {
        limiter.settle(limiter.reserve("planner", "acme", 20).id(), 20);

        assertThat(RemainingBudget.fields(meter, asker("acme", "ann")).get("RateLimit"))
                .matches("\"tenant-tokens-1h\";r=80;t=36\\d\\d, \"tenant-concurrent\";r=3,"
                        + " \"tenant/user-requests-calendar-day\";r=50");
    }

    @Test
    void ofNobodyAndOfTheUnlimitedThereIsNothingToSay() {
        assertThat(RemainingBudget.fields(meter, Asker.NOBODY)).isEmpty();
        assertThat(RemainingBudget.fields(
                        meter, Asker.of(BudgetContext.builder().tenant("free").build())))
                .isEmpty();
    }

    @Test
    void readingMakesNoBudget() {
        for (int i = 0; i < 100; i++) {
            RemainingBudget.fields(meter, asker("guessed" + i, "anybody"));
        }

        assertThat(limiter.status()).noneMatch(status -> status.scope().contains("guessed"));
    }
}
