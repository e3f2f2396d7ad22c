package io.tokenbudget.core.config;

import io.tokenbudget.core.spi.OverrunPolicy;

/** Overrun policies as users write them. */
final class OverrunText {
    private static final String CHARGE_ACTUAL = "charge-actual";
    private static final String CAP_AT_ESTIMATE = "cap-at-estimate";

    private OverrunText() {}

    /**
     * @throws InvalidValueException if it is none of them
     */
    static OverrunPolicy parse(String text) {
        return switch (text) {
            case CHARGE_ACTUAL -> OverrunPolicy.CHARGE_ACTUAL;
            case CAP_AT_ESTIMATE -> OverrunPolicy.CAP_AT_ESTIMATE;
            default -> throw InvalidValueException.notAllowed(text, CHARGE_ACTUAL + ", " + CAP_AT_ESTIMATE);
        };
    }

    static String format(OverrunPolicy policy) {
        if (policy == OverrunPolicy.CHARGE_ACTUAL) {
            return CHARGE_ACTUAL;
        }
        return policy == OverrunPolicy.CAP_AT_ESTIMATE ? CAP_AT_ESTIMATE : policy.toString();
    }
}
