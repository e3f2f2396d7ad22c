package io.tokenbudget.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The table of effective limits")
class LimitsTableTest {

    @Test
    void alignsLimitsUnderTheirScopes() {
        Settings settings = YamlSettings.parse("""
                zone: Europe/Berlin
                budgets:
                  - scope: tenant:acme/agent
                    limits: ["100k tokens per 1h", "3 concurrent"]
                  - scope: run
                    limits: ["200k tokens"]
                  - scope: global
                    limits: ["1M tokens per calendar day", "9M output tokens"]
                  - scope: agent:free
                    limits: unlimited
                """, "budgets.yaml");
        assertThat(LimitsTable.lines(settings))
                .containsExactly(
                        "scope              limit",
                        "tenant:acme/agent  100k tokens per 1h",
                        "                   3 concurrent",
                        "run                200k tokens (life of the run)",
                        "global             1M tokens per calendar day (Europe/Berlin)",
                        "                   9M output tokens (life of the process)",
                        "agent:free         unlimited");
    }

    @Test
    void saysThatThereAreNoBudgets() {
        assertThat(LimitsTable.lines(Settings.DEFAULT)).containsExactly("no budgets: every call is admitted");
    }
}
