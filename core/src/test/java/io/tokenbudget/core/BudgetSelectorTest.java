package io.tokenbudget.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.config.Plans;
import io.tokenbudget.core.config.YamlSettings;
import io.tokenbudget.core.spi.BudgetRef;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Rows: the most specific one that fits a call replaces the others")
class BudgetSelectorTest {

    @Test
    void aNamedRowWinsOverAGlobAndAGlobOverABareRow() {
        Rows rows = rows("agent", "agent:plan*", "agent:planner");
        assertThat(picked(rows, agent("planner"))).containsExactly("agent:planner by agent:planner");
        assertThat(picked(rows, agent("plant"))).containsExactly("agent:plant by agent:plan*");
        assertThat(picked(rows, agent("writer"))).containsExactly("agent:writer by agent");
    }

    @Test
    void theGlobThatSaysMoreWinsWhateverTheOrder() {
        for (Rows rows : List.of(
                rows("model:gpt-*", "model:gpt-4o*", "model:*****-4o*"),
                rows("model:*****-4o*", "model:gpt-4o*", "model:gpt-*"))) {
            assertThat(picked(rows, BudgetContext.EMPTY, "gpt-4o-mini"))
                    .containsExactly("model:gpt-4o-mini by model:gpt-4o*");
            assertThat(picked(rows, BudgetContext.EMPTY, "gpt-3.5")).containsExactly("model:gpt-3.5 by model:gpt-*");
        }
    }

    @Test
    void aGlobOfOneStarWinsOverABareRow() {
        assertThat(picked(rows("agent", "agent:*"), agent("a"))).containsExactly("agent:a by agent:*");
    }

    @Test
    void theRowThatStandsFirstWinsBetweenEqualGlobs() {
        assertThat(picked(rows("agent:*b", "agent:a*"), agent("ab"))).containsExactly("agent:ab by agent:*b");
    }

    @Test
    void aJoinedScopeKeepsOneBudgetForEachPair() {
        Rows rows = rows("tenant/agent");
        assertThat(picked(rows, pair("acme", "planner"))).containsExactly("tenant:acme/agent:planner by tenant/agent");
        assertThat(picked(rows, agent("planner"))).isEmpty();
    }

    @Test
    void ofJoinedRowsTheOneThatNamesMoreWins() {
        Rows rows = rows("tenant/agent", "tenant:ac*/agent:plan*", "tenant/agent:planner", "tenant:acme/agent:planner");
        assertThat(picked(rows, pair("acme", "planner")))
                .containsExactly("tenant:acme/agent:planner by tenant:acme/agent:planner");
        assertThat(picked(rows, pair("bolt", "planner")))
                .containsExactly("tenant:bolt/agent:planner by tenant/agent:planner");
        assertThat(picked(rows, pair("acre", "plant")))
                .containsExactly("tenant:acre/agent:plant by tenant:ac*/agent:plan*");
        assertThat(picked(rows, pair("bolt", "writer"))).containsExactly("tenant:bolt/agent:writer by tenant/agent");
    }

    @Test
    void aMixedRowIsForEveryValueOfTheBareDimension() {
        Rows rows = rows("tenant/agent", "tenant:acme/agent");
        assertThat(picked(rows, pair("acme", "a"))).containsExactly("tenant:acme/agent:a by tenant:acme/agent");
        assertThat(picked(rows, pair("bolt", "a"))).containsExactly("tenant:bolt/agent:a by tenant/agent");
    }

    @Test
    void theOrderOfJoinedDimensionsMakesNoDifference() {
        Rows rows = rows("tenant/agent", "agent:planner/tenant:acme");
        assertThat(picked(rows, pair("acme", "planner")))
                .containsExactly("tenant:acme/agent:planner by agent:planner/tenant:acme");
    }

    @Test
    void aCallFallsUnderOneBudgetOfEachCombinationItHasValuesFor() {
        Rows rows = rows("agent", "tenant", "user", "tenant/agent", "global", "model");
        assertThat(picked(rows, pair("acme", "planner"), "gpt-4o"))
                .containsExactly(
                        "agent:planner by agent",
                        "tenant:acme by tenant",
                        "tenant:acme/agent:planner by tenant/agent",
                        "global by global",
                        "model:gpt-4o by model");
    }

    @Test
    void onlyNamedRowsLeaveOtherValuesWithoutABudget() {
        assertThat(picked(rows("agent:planner"), agent("writer"))).isEmpty();
    }

    @Test
    void valuesThatLookLikeScopesNeverShareABudgetWithOthers() {
        Rows rows = rows("tenant/agent");
        assertThat(picked(rows, pair("a/agent:b", "c"))).isNotEqualTo(picked(rows, pair("a", "b/agent:c")));
        assertThat(picked(rows, pair("a/b", "c"))).isNotEqualTo(picked(rows, pair("a%2Fb", "c")));
        assertThat(picked(rows("tenant"), pair("a/agent:b", "c"))).containsExactly("tenant:a%2Fagent:b by tenant");
    }

    @Test
    void aModelStandsLastSoThatItsSlashesStay() {
        assertThat(picked(rows("model/tenant"), pair("acme", "a"), "meta/llama-3"))
                .containsExactly("tenant:acme/model:meta/llama-3 by model/tenant");
    }

    @Test
    void aPlainNamedRowMatchesAValueWithSlashes() {
        assertThat(picked(rows("model", "model:meta/llama-3"), BudgetContext.EMPTY, "meta/llama-3"))
                .containsExactly("model:meta/llama-3 by model:meta/llama-3");
        BudgetContext octo = BudgetContext.builder().project("octo/hello").build();
        assertThat(picked(rows("project", "project:octo%2Fhello"), octo))
                .containsExactly("project:octo%2Fhello by project:octo%2Fhello");
    }

    @Test
    void namesTheScopesThatTheRowsNameInFull() {
        assertThat(rows("agent", "agent:b", "agent:a", "agent:c*", "tenant:acme/agent", "global", "tenant:t/agent:a")
                        .selector
                        .named())
                .extracting(named -> named.scope().toString())
                .containsExactly("agent:b", "agent:a", "tenant:t/agent:a", "global");
    }

    @Test
    void findsTheBudgetOfOneScope() {
        Rows rows = rows("tenant/agent", "tenant:acme/agent");
        BudgetRef found = Objects.requireNonNull(rows.selector.find(Map.of("agent", "a", "tenant", "acme")));
        assertThat(rows.describe(found)).isEqualTo("tenant:acme/agent:a by tenant:acme/agent");
        assertThat(rows.selector.find(Map.of("agent", "a"))).isNull();
    }

    private static BudgetContext agent(String agent) {
        return BudgetContext.builder().agent(agent).build();
    }

    private static BudgetContext pair(String tenant, String agent) {
        return BudgetContext.builder().tenant(tenant).agent(agent).build();
    }

    private static List<String> picked(Rows rows, BudgetContext context) {
        return picked(rows, context, null);
    }

    private static List<String> picked(Rows rows, BudgetContext context, @Nullable String model) {
        return rows.selector.select(context, model).stream().map(rows::describe).toList();
    }

    private static Rows rows(String... scopes) {
        StringBuilder yaml = new StringBuilder("budgets:\n");
        for (int i = 0; i < scopes.length; i++) {
            yaml.append("  - {scope: \"%s\", limits: [\"%d tokens\"]}\n".formatted(scopes[i], i));
        }
        return new Rows(
                List.of(scopes),
                new BudgetSelector(YamlSettings.parse(yaml.toString(), "rows").budgets(), Plans.NONE));
    }

    /** Rows whose limits have the row's index as their amount, so that a budget tells which row it came from. */
    private record Rows(List<String> scopes, BudgetSelector selector) {
        String describe(BudgetRef budget) {
            int row = (int) budget.limits().get(0).amount();
            return budget.scope() + " by " + scopes.get(row);
        }
    }
}
