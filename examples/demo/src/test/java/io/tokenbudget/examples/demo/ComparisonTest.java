package io.tokenbudget.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final String LEDGER = """
            {"calls":[],"billed":{"calls":3,"inputTokens":90,"outputTokens":30,"totalTokens":120}}""";

    private static String budgets(long acme, long globex, long held) {
        return """
            {"budgets":[
              {"scope":"global","unit":"tokens","window":"1h","limit":5000,"used":120,"held":0,"unlimited":false},
              {"scope":"tenant:acme","unit":"tokens","window":"1h","limit":1000,"used":%d,"held":%d,"unlimited":false},
              {"scope":"tenant:globex","unit":"tokens","window":"1h","limit":1000,"used":%d,"held":0,"unlimited":false},
              {"scope":"agent:default","unit":"requests","window":"1h","limit":9,"used":3,"held":0,"unlimited":false}]}""".formatted(acme, held, globex);
    }

    private static Comparison compare(String budgets) throws IOException {
        return Comparison.of(List.of(Account.read("app", budgets, LEDGER)));
    }

    @Test
    void isEqualWhereTheBudgetsOfEachDimensionSumUpToTheBill() throws Exception {
        Comparison comparison = compare(budgets(100, 20, 0));

        assertThat(comparison.equal()).isTrue();
        assertThat(comparison.table())
                .contains("1,000 tokens per 1h", "all tenants")
                .containsPattern("tenant:acme .* in all")
                .containsPattern("all tenants .* 120 ")
                .doesNotContain("DIFFERENT");
    }

    @Test
    void isDifferentWhereOneTokenIsMissing() throws Exception {
        Comparison comparison = compare(budgets(99, 20, 0));

        assertThat(comparison.equal()).isFalse();
        assertThat(comparison.table()).containsOnlyOnce("DIFFERENT");
    }

    @Test
    void isDifferentWhereSomethingIsStillHeld() throws Exception {
        assertThat(compare(budgets(100, 20, 1)).equal()).isFalse();
    }

    @Test
    void isNoAnswerWhereThereIsNothingToCompare() {
        assertThatThrownBy(() -> compare("{\"budgets\":[]}")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> Account.read("app", budgets(1, 1, 0), "{}")).isInstanceOf(IOException.class);
    }
}
