package io.tokenbudget.core.config;

/** Whole numbers within bounds, written as amounts are. */
final class Numbers {
    /** No model writes more; a product with the number of answers stays far from overflow. */
    private static final long LARGEST_OUTPUT = 1_000_000_000;

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

    /** The most output tokens of one answer. */
    static long parseMaxOutput(String text) {
        return parse(text, 1, LARGEST_OUTPUT);
    }
}
