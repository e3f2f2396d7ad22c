package io.tokenbudget.core.config;

import java.math.BigDecimal;

/** Whole numbers within bounds, written as amounts are. */
final class Numbers {
    /** No model writes more; a product with the number of answers stays far from overflow. */
    private static final long LARGEST_OUTPUT = 1_000_000_000;

    private static final BigDecimal LARGEST_MULTIPLIER = BigDecimal.valueOf(1_000_000);

    private Numbers() {}

    /**
     * @throws InvalidValueException if {@code text} is no whole number from {@code least} to {@code most}
     */
    static long parse(String text, long least, long most) {
        long number = AmountText.parse(text);
        if (number < least || number > most) {
            throw InvalidValueException.notAllowed(text, least + " to " + most);
        }
        return number;
    }

    /** A multiplier above zero, at most a million, with at most six digits behind the point. */
    static BigDecimal parseMultiplier(String text) {
        boolean number = text.length() <= 20 && text.matches("\\d+(\\.\\d{1,6})?");
        BigDecimal multiplier = number ? new BigDecimal(text) : BigDecimal.ZERO;
        if (multiplier.signum() == 0 || multiplier.compareTo(LARGEST_MULTIPLIER) > 0) {
            throw InvalidValueException.notAllowed(text, "a number such as 5 or 1.5, above 0 and up to 1000000");
        }
        return multiplier;
    }

    /** The most output tokens of one answer. */
    static long parseMaxOutput(String text) {
        return parse(text, 1, LARGEST_OUTPUT);
    }
}
