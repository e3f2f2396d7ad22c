package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.core.metering.CallLines;
import io.tokenbudget.core.metering.CallLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CallLogOptionTest {
    private final List<String> lines = new ArrayList<>();

    private CallLog read(Map<String, String> arguments, Map<String, String> properties) {
        return read(arguments, properties, Map.of());
    }

    private CallLog read(
            Map<String, String> arguments, Map<String, String> properties, Map<String, String> environment) {
        return CallLogOption.read(arguments, properties, environment, lines::add);
    }

    @Test
    void isOffUnlessAskedFor() {
        assertThat(read(Map.of(), Map.of())).isSameAs(CallLog.OFF);
        assertThat(read(Map.of(), Map.of(), Map.of("TOKEN_BUDGET_AGENT_LOG", " ")))
                .isSameAs(CallLog.OFF);
        assertThat(lines).isEmpty();
    }

    @Test
    void isReadFromTheAgentsArgumentBeforeTheSystemPropertyBeforeTheEnvironment() {
        Map<String, String> calls = Map.of("token-budget.agent.log", "calls");
        Map<String, String> none = Map.of("token-budget.agent.log", "none");
        Map<String, String> variable = Map.of("TOKEN_BUDGET_AGENT_LOG", "calls");

        assertThat(read(Map.of(), calls)).isInstanceOf(CallLines.class);
        assertThat(read(Map.of("agent.log", "none"), calls)).isSameAs(CallLog.OFF);
        assertThat(read(Map.of(), Map.of(), variable)).isInstanceOf(CallLines.class);
        assertThat(read(Map.of(), none, variable)).isSameAs(CallLog.OFF);
    }

    @Test
    void saysWhatIsAllowedAndWhoAskedWhereAValueIsUnknown() {
        assertThat(read(Map.of("agent.log", "call"), Map.of())).isSameAs(CallLog.OFF);
        read(Map.of(), Map.of("token-budget.agent.log", "all"));
        read(Map.of(), Map.of(), Map.of("TOKEN_BUDGET_AGENT_LOG", "true"));

        assertThat(lines)
                .containsExactly(
                        "agent option agent.log: found \"call\"; allowed: calls, none",
                        "system property token-budget.agent.log: found \"all\"; allowed: calls, none",
                        "environment variable TOKEN_BUDGET_AGENT_LOG: found \"true\"; allowed: calls, none");
    }
}
