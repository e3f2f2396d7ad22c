package io.tokenbudget.micronaut;

import io.micronaut.context.condition.Condition;
import io.micronaut.context.condition.ConditionContext;

/**
 * Whether we, or a part of us, are wanted. What cannot be told, because the value refers to what is not there or to itself, keeps no
 * application from starting, as a requirement of Micronaut's own would. Stateless.
 */
abstract class Switch implements Condition {
    private final String property;

    Switch(String property) {
        this.property = property;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public boolean matches(ConditionContext context) {
        try {
            return context.getProperty(property, String.class)
                    .filter("false"::equals)
                    .isEmpty();
        } catch (RuntimeException | StackOverflowError unresolved) {
            return true;
        }
    }

    /** All of us. */
    static final class Everything extends Switch {
        static final String PROPERTY = WrittenKeys.PREFIX + ".enabled";

        Everything() {
            super(PROPERTY);
        }
    }

    /** What takes part in requests and their answers. */
    static final class Http extends Switch {
        Http() {
            super(WrittenKeys.PREFIX + ".http.enabled");
        }
    }

    /** What {@code GET /health} says of us. */
    static final class Health extends Switch {
        Health() {
            super("endpoints.health.token-budget.enabled");
        }
    }
}
