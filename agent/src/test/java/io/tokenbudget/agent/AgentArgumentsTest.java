package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AgentArgumentsTest {
    @Test
    void pairsAreSeparatedByCommas() {
        assertThat(AgentArguments.parse("config=a.yaml,mode=observe,status.port=8321"))
                .containsEntry("config", "a.yaml")
                .containsEntry("mode", "observe")
                .containsEntry("status.port", "8321")
                .hasSize(3);
    }

    @Test
    void withASemicolonValuesMayContainCommas() {
        assertThat(AgentArguments.parse("config=a.yaml;identity.tenant=mdc:customer,literal:none"))
                .containsEntry("config", "a.yaml")
                .containsEntry("identity.tenant", "mdc:customer,literal:none")
                .hasSize(2);
    }

    @Test
    void aValueMayContainEqualsSigns() {
        assertThat(AgentArguments.parse("config=dir/a=b.yaml")).containsEntry("config", "dir/a=b.yaml");
    }

    @Test
    void noArgumentsAreNoPairs() {
        assertThat(AgentArguments.parse(null)).isEmpty();
        assertThat(AgentArguments.parse(" , ,")).isEmpty();
    }

    @Test
    void aWordAloneHasAnEmptyValue() {
        assertThat(AgentArguments.parse("config")).containsEntry("config", "");
    }
}
