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
        return CallLogOption.read(arguments, properties, lines::add);
    }

    @Test
    void isOffUnlessAskedFor() {
        assertThat(read(Map.of(), Map.of())).isSameAs(CallLog.OFF);
        assertThat(lines).isEmpty();
    }

    @Test
    void isReadFromTheAgentsArgumentBeforeTheSystemProperty() {
        Map<String, String> property = Map.of("token-budget.agent.log", "calls");

        assertThat(read(Map.of(), property)).isInstanceOf(CallLines.class);
        assertThat(read(Map.of("agent.log", "none"), property)).isSameAs(CallLog.OFF);
    }

    @Test
    void saysWhatIsAllowedWhereAValueIsUnknown() {
        assertThat(read(Map.of("agent.log", "all"), Map.of())).isSameAs(CallLog.OFF);
        assertThat(lines).containsExactly("agent.log: \"all\" is unknown; allowed: calls, none");
    }
}
