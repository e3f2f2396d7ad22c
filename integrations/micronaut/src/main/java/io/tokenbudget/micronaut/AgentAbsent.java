package io.tokenbudget.micronaut;

import io.micronaut.context.condition.Condition;
import io.micronaut.context.condition.ConditionContext;

/** Of beans that stand back where the agent weaves the same places: one process, one ledger. */
public final class AgentAbsent implements Condition {
    /** What the agent says of itself. */
    private static final String ACTIVE = "token-budget.agent.active";

    /** For Micronaut. */
    public AgentAbsent() {}

    @Override
    @SuppressWarnings("rawtypes") // as Micronaut has it
    public boolean matches(ConditionContext context) {
        return !isAgentActive();
    }

    static boolean isAgentActive() {
        return System.getProperty(ACTIVE) != null;
    }
}
