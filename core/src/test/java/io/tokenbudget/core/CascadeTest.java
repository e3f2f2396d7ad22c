package io.tokenbudget.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.core.spi.Limit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The cascade: whose numbers a call goes by")
class CascadeTest {
    private static final String YAML = """
            identity: {agent: [], tenant: [], team: []}
            plans:
              free: {multiplier: 1}
              pro:  {multiplier: 5}
              plus: {multiplier: 1.5}
              mini: {multiplier: 0.1}
            default-plan: free
            budgets:
              - {scope: tenant, limits: ["1001 tokens per 1h", "$2 per calendar day", "3 concurrent"]}
              - {scope: tenant, when: {plan: pro}, limits: ["8000 tokens per 1h"]}
              - {scope: tenant, when: {workspace: w-7}, limits: ["2000 tokens per 1h"]}
              - {scope: tenant, when: {project: p-1}, limits: ["3000 tokens per 1h"]}
              - {scope: tenant, when: {user: ann}, limits: ["4000 tokens per 1h"]}
              - {scope: tenant, when: {plan: pro, workspace: w-7}, limits: ["9000 tokens per 1h"]}
              - {scope: tenant, when: {plan: plus, user: ann}, limits: ["9500 tokens per 1h"]}
              - {scope: "tenant:acme", limits: ["7 requests per 1m"]}
              - {scope: "tenant:acme", when: {plan: pro}, limits: ["70 requests per 1m"]}
              - {scope: "tenant:whale", limits: [unlimited]}
              - {scope: "tenant:ac*", limits: ["600 tokens per 1h"]}
              - {scope: "tenant:only", when: {plan: pro}, limits: ["11 tokens per 1h"]}
              - {scope: agent, limits: ["100 tokens per 1h"]}
              - {scope: "agent:planner", limits: ["500 tokens per 1h"]}
              - {scope: agent, when: {plan: pro}, limits: ["900 tokens per 1h"]}
              - {scope: tenant/agent, limits: ["300 tokens per 1h"]}
              - {scope: "tenant:acme/agent", limits: ["310 tokens per 1h"]}
              - {scope: "model:gpt*", limits: ["40 requests per 1m"]}
              - {scope: tool, limits: ["20 requests per 1h"]}
              - {scope: global, limits: ["$500 per 1h"]}
              - {scope: global, when: {plan: mini}, limits: ["$400 per 1h"]}
              - {scope: run, limits: ["50 tokens"]}
              - {scope: run, when: {plan: free}, limits: ["40 tokens"]}
              - {scope: user, limits: ["30 tokens per calendar day"]}
              - {scope: team, limits: ["60 tokens per 7d"]}
              - {scope: project, when: {plan: pro}, limits: ["77 tokens per 1h"]}
            """;

    private final DefaultTokenLimiter limiter =
            TokenLimiters.builder().yaml(YAML).build();

    @ParameterizedTest(name = "{0} on {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
            tenant=t                                          | tenant       | 1001 tokens per 1h; $2 per calendar day; 3 concurrent
            tenant=t, plan=free                               | tenant       | 1001 tokens per 1h; $2 per calendar day; 3 concurrent
            tenant=t, plan=unheard-of                         | tenant       | 1001 tokens per 1h; $2 per calendar day; 3 concurrent
            tenant=t, plan=plus                               | tenant       | 1502 tokens per 1h; $3 per calendar day; 5 concurrent
            tenant=t, plan=mini                               | tenant       | 101 tokens per 1h; $0.2 per calendar day; 1 concurrent
            tenant=t, plan=pro                                | tenant       | 8000 tokens per 1h
            tenant=t, workspace=w-7                           | tenant       | 2000 tokens per 1h
            tenant=t, workspace=w-8                           | tenant       | 1001 tokens per 1h; $2 per calendar day; 3 concurrent
            tenant=t, workspace=w-7, plan=plus                | tenant       | 3000 tokens per 1h
            tenant=t, workspace=w-7, plan=mini                | tenant       | 200 tokens per 1h
            tenant=t, workspace=w-7, plan=pro                 | tenant       | 9000 tokens per 1h
            tenant=t, workspace=w-8, plan=pro                 | tenant       | 8000 tokens per 1h
            tenant=t, project=p-1                             | tenant       | 3000 tokens per 1h
            tenant=t, project=p-1, plan=pro                   | tenant       | 15000 tokens per 1h
            tenant=t, project=p-1, workspace=w-7              | tenant       | 3000 tokens per 1h
            tenant=t, project=p-1, workspace=w-7, plan=pro    | tenant       | 15000 tokens per 1h
            tenant=t, project=p-2, workspace=w-7, plan=pro    | tenant       | 9000 tokens per 1h
            tenant=t, user=ann                                | tenant       | 4000 tokens per 1h
            tenant=t, user=bob                                | tenant       | 1001 tokens per 1h; $2 per calendar day; 3 concurrent
            tenant=t, user=ann, plan=pro                      | tenant       | 20000 tokens per 1h
            tenant=t, user=ann, plan=plus                     | tenant       | 9500 tokens per 1h
            tenant=t, user=bob, plan=plus                     | tenant       | 1502 tokens per 1h; $3 per calendar day; 5 concurrent
            tenant=t, user=ann, project=p-1                   | tenant       | 4000 tokens per 1h
            tenant=t, user=ann, project=p-1, workspace=w-7    | tenant       | 4000 tokens per 1h
            tenant=t, user=bob, project=p-1, workspace=w-7    | tenant       | 3000 tokens per 1h
            tenant=acme                                       | tenant       | 7 requests per 1m
            tenant=acme, plan=pro                             | tenant       | 70 requests per 1m
            tenant=acme, plan=plus                            | tenant       | 11 requests per 1m
            tenant=acme, plan=mini                            | tenant       | 1 requests per 1m
            tenant=acme, user=ann                             | tenant       | 7 requests per 1m
            tenant=acme, workspace=w-7, plan=pro              | tenant       | 70 requests per 1m
            tenant=whale                                      | tenant       | unlimited
            tenant=whale, plan=pro                            | tenant       | unlimited
            tenant=whale, plan=mini                           | tenant       | unlimited
            tenant=acre                                       | tenant       | 600 tokens per 1h
            tenant=acre, plan=pro                             | tenant       | 3000 tokens per 1h
            tenant=acre, user=ann                             | tenant       | 600 tokens per 1h
            tenant=only, plan=pro                             | tenant       | 11 tokens per 1h
            tenant=only                                       | tenant       | 1001 tokens per 1h; $2 per calendar day; 3 concurrent
            tenant=only, user=ann                             | tenant       | 4000 tokens per 1h
            user=ann                                          | tenant       |
            agent=writer                                      | agent        | 100 tokens per 1h
            agent=writer, plan=plus                           | agent        | 100 tokens per 1h
            agent=writer, plan=pro                            | agent        | 900 tokens per 1h
            agent=planner                                     | agent        | 500 tokens per 1h
            agent=planner, plan=pro                           | agent        | 500 tokens per 1h
            agent=planner, tenant=t, plan=pro                 | agent        | 500 tokens per 1h
            agent=writer, tenant=t                            | tenant/agent | 300 tokens per 1h
            agent=writer, tenant=t, plan=pro                  | tenant/agent | 1500 tokens per 1h
            agent=writer, tenant=acme                         | tenant/agent | 310 tokens per 1h
            agent=writer, tenant=acme, plan=plus              | tenant/agent | 465 tokens per 1h
            tenant=t                                          | tenant/agent |
            model=gpt-4o                                      | model        | 40 requests per 1m
            model=gpt-4o, plan=pro                            | model        | 40 requests per 1m
            model=claude                                      | model        |
            tool=search, plan=pro                             | tool         | 20 requests per 1h
            tenant=t                                          | global       | $500 per 1h
            tenant=t, plan=pro                                | global       | $500 per 1h
            tenant=t, plan=mini                               | global       | $400 per 1h
            run=r-1                                           | run          | 40 tokens
            run=r-1, plan=unheard-of                          | run          | 40 tokens
            run=r-1, plan=pro                                 | run          | 250 tokens
            run=r-1, plan=plus                                | run          | 75 tokens
            user=ann                                          | user         | 30 tokens per calendar day
            user=ann, plan=pro                                | user         | 150 tokens per calendar day
            team=red, plan=mini                               | team         | 6 tokens per 7d
            project=p-9                                       | project      |
            project=p-9, plan=pro                             | project      | 77 tokens per 1h
            """)
    void theMostSpecificRowWinsAndAPlanMultipliesWhatIsNotForAPlan(
            String caller, String scope, @Nullable String limits) {
        BudgetContext.Builder context = BudgetContext.builder();
        String model = null;
        for (String said : caller.split(", *", -1)) {
            String value = said.substring(said.indexOf('=') + 1).strip();
            switch (said.substring(0, said.indexOf('='))) {
                case "model" -> model = value;
                case "plan" -> context.plan(value);
                case "run" -> context.runId(value);
                default -> context.dimension(said.substring(0, said.indexOf('=')), value);
            }
        }
        String found = limiter.applied(context.build(), model).stream()
                .filter(applied -> applied.budget().scope().dimension().equals(scope))
                .flatMap(applied -> applied.budget().limits().stream())
                .map(Limit::text)
                .collect(Collectors.joining("; "));
        assertThat(found).isEqualTo(limits == null ? "" : limits);
    }

    private static ReservationRequest call(@Nullable String plan, String tenant, long tokens) {
        BudgetContext.Builder context = BudgetContext.builder().dimension("team", tenant);
        return ReservationRequest.builder()
                .context((plan == null ? context : context.plan(plan)).build())
                .outputTokens(tokens)
                .build();
    }

    private static DefaultTokenLimiter teams() {
        return TokenLimiters.builder().yaml("""
                plans: {pro: {multiplier: 2}}
                identity: {team: []}
                budgets:
                  - {scope: team, limits: ["100 tokens per 1h", "3 requests per 1m"]}
                  - {scope: "team:red", when: {user: ann}, limits: ["10 output tokens per 1h"]}
                """).build();
    }

    @Test
    void whatIsUsedOnOnePlanCountsOnAnother() {
        DefaultTokenLimiter limiter = teams();
        limiter.reserve(call("pro", "blue", 150));

        assertThat(limiter.remaining("team:blue")).as("to whoever called last").isEqualTo(50);
        assertThatThrownBy(() -> limiter.reserve(call(null, "blue", 1)))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageStartingWith("team:blue: limit of 100 tokens per 1h reached");
        assertThatThrownBy(() -> limiter.reserve(call("pro", "blue", 51)))
                .hasMessageStartingWith(
                        "team:blue: limit of 200 tokens per 1h reached: 51 tokens requested, 50 remaining");
        limiter.reserve(call("pro", "blue", 50));
    }

    @Test
    void whatACallerUsesUnderARowOfTheirOwnCountsForAllTheOthers() {
        DefaultTokenLimiter limiter = teams();
        ReservationRequest ofAnn = ReservationRequest.builder()
                .context(BudgetContext.builder()
                        .dimension("team", "red")
                        .user("ann")
                        .build())
                .inputTokens(90)
                .outputTokens(5)
                .build();
        for (int i = 0; i < 2; i++) {
            limiter.settle(limiter.reserve(ofAnn).id(), 95);
        }

        assertThatThrownBy(() -> limiter.reserve(call(null, "red", 1)))
                .hasMessageStartingWith("team:red: limit of 100 tokens per 1h reached: 1 token requested, 0 remaining");
        assertThatThrownBy(() -> limiter.reserve(ofAnn))
                .hasMessageStartingWith("team:red: limit of 10 output tokens per 1h reached");
    }
}
