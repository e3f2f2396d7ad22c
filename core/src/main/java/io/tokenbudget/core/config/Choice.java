package io.tokenbudget.core.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** One of a few words: the name of an enum constant in lower case with dashes, or true and false. */
final class Choice {
    private Choice() {}

    /**
     * @throws InvalidValueException if {@code text} is no constant of {@code type}
     */
    static <E extends Enum<E>> E parse(Class<E> type, String text) {
        E[] constants = type.getEnumConstants();
        for (E constant : constants) {
            if (format(constant).equals(text)) {
                return constant;
            }
        }
        throw InvalidValueException.notAllowed(
                text, Arrays.stream(constants).map(Choice::format).collect(Collectors.joining(", ")));
    }

    /** {@code KEEP_INPUT} is {@code keep-input}. */
    static String format(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * @throws InvalidValueException if {@code text} is neither {@code true} nor {@code false}
     */
    static boolean parseBoolean(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw InvalidValueException.notAllowed(text, "true, false");
        };
    }
}
