package io.tokenbudget.agent;

import io.tokenbudget.core.Notices;
import io.tokenbudget.core.metering.CallLines;
import io.tokenbudget.core.metering.CallLog;
import java.util.Map;

/**
 * Option {@code agent.log}, also {@code -Dtoken-budget.agent.log} and {@code TOKEN_BUDGET_AGENT_LOG}: with {@code calls} there is one line for each model
 * call, with its estimate and what was booked. {@code none} is the default.
 */
final class CallLogOption {
    private static final String OPTION = "agent.log";
    private static final String PROPERTY = "token-budget." + OPTION;
    private static final String VARIABLE = "TOKEN_BUDGET_AGENT_LOG";

    private CallLogOption() {}

    static CallLog read(
            Map<String, String> arguments,
            Map<String, String> properties,
            Map<String, String> environment,
            Notices lines) {
        String variable = environment.getOrDefault(VARIABLE, "").strip();
        String source;
        String value;
        if (arguments.containsKey(OPTION)) {
            source = "agent option " + OPTION;
            value = arguments.getOrDefault(OPTION, "");
        } else if (properties.containsKey(PROPERTY)) {
            source = "system property " + PROPERTY;
            value = properties.getOrDefault(PROPERTY, "");
        } else {
            source = "environment variable " + VARIABLE;
            value = variable.isEmpty() ? "none" : variable;
        }
        if (value.equals("calls")) {
            return new CallLines(lines::warn);
        }
        if (!value.equals("none")) {
            lines.warn(source + ": found \"" + value + "\"; allowed: calls, none");
        }
        return CallLog.OFF;
    }
}
