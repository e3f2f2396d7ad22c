package io.tokenbudget.agent;

import io.tokenbudget.core.Notices;
import io.tokenbudget.core.metering.CallLines;
import io.tokenbudget.core.metering.CallLog;
import java.util.Map;

/**
 * Option {@code agent.log}, also {@code -Dtoken-budget.agent.log}: with {@code calls} there is one line for each model
 * call, with its estimate and what was booked. {@code none} is the default.
 */
final class CallLogOption {
    private static final String OPTION = "agent.log";

    private CallLogOption() {}

    static CallLog read(Map<String, String> arguments, Map<String, String> properties, Notices lines) {
        String value = arguments.getOrDefault(OPTION, properties.getOrDefault("token-budget." + OPTION, "none"));
        if (value.equals("calls")) {
            return new CallLines(lines::warn);
        }
        if (!value.equals("none")) {
            lines.warn(OPTION + ": \"" + value + "\" is unknown; allowed: calls, none");
        }
        return CallLog.OFF;
    }
}
